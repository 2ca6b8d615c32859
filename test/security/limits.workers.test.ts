import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { Artifacts } from "../../src/durable/artifacts";
import { EventFeed } from "../../src/durable/event-feed";
import type { SessionEvent } from "../../src/shared/events";
import { scriptedModel } from "../support/scripted-model";
import { call } from "../support/workers/api";
import { admin, makeAgent, readEvents, session } from "../support/workers/session";
import { makeToken } from "../support/workers/tokens";

const manual = { provider: { name: "manual" } };
const extract = '/json_extract {"json":"{\\"a\\":1}","path":"a"}\n';

describe("a limit of calls a minute", () => {
	it("holds within one turn, whose audit comes later", async () => {
		await call("/api/v1/policy", { method: "PUT", body: { limits: { toolCallsPerMinute: { json_extract: 5 } } } });
		const agent = await makeAgent(manual);
		const { token, id } = await makeToken({ permissions: ["turn:create"] });
		const run = async (lines: number) => {
			const body = { message: extract.repeat(lines) };
			const { json } = await call(`/api/v1/agents/${agent}/turns`, { body, token });
			return (json as { toolCalls: { result: { success: boolean; code: string | null } }[] }).toolCalls.map(
				({ result }) => result,
			);
		};
		const results = await run(20);
		expect(results.filter(({ success }) => success)).toHaveLength(5);
		expect(results.at(-1)).toMatchObject({ success: false, code: "rate_limited" });
		expect((await run(2)).filter(({ success }) => success)).toEqual([]);
		const { results: rows } = await vi.waitUntil(async () => {
			const rows = await env.DB.prepare("SELECT success, code FROM tool_invocations WHERE principal = ?")
				.bind(id)
				.all();
			return rows.results.every(({ success }) => success !== null) && rows;
		});
		expect(rows).toHaveLength(22);
	});

	it("lets no more than that through of many at once", async () => {
		await call("/api/v1/policy", { method: "PUT", body: { limits: { callsPerMinute: 5 } } });
		const agent = await makeAgent(manual);
		const { token } = await makeToken({ permissions: ["tool:execute"] });
		const body = { arguments: { json: "[1]", path: "[0]" }, agent };
		const answers = await Promise.all(
			Array.from({ length: 25 }, () => call("/api/v1/tools/json_extract/execute", { body, token })),
		);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
		expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
		await call("/api/v1/policy", { method: "PUT", body: {} });
	});
});

describe("a turn of results that are too much together", () => {
	const page = "x".repeat(50_000);
	const lines = '/http_get {"url":"https://pages.example.com/"}\n';

	it("ends well, is read as a whole, and keeps what was cut", { timeout: 120_000 }, async () => {
		await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "pages.example.com" } });
		const agent = await makeAgent(manual);
		const own = session();
		await own.useFetch(async () => new Response(page, { headers: { "content-type": "text/plain" } }));
		const view = await own.run(agent, lines.repeat(700));
		expect(view.status).toBe("completed");
		expect(view.toolCalls).toHaveLength(700);
		expect(JSON.stringify(view).length).toBeLessThan(4_000_000);
		const last = view.toolCalls.at(-1)?.result;
		expect(last).toMatchObject({ success: true, meta: { truncated: true, artifactId: expect.any(String) } });
		expect(await own.stub().artifact(admin, last?.meta?.artifactId ?? "")).toContain(page);
		expect((await call(`/api/v1/turns/${view.turnId}`)).status).toBe(200);
		expect((await own.run(agent, "/current_time")).status).toBe("completed");
	});

	it("keeps the whole of what was cut as far as a session has room", async () => {
		const own = session();
		const stored = await runInDurableObject(own.stub(), (_, { storage }) => {
			const artifacts = new Artifacts(storage);
			const emoji = "😀".repeat(300_000);
			const isKept = [artifacts.put("emoji", `x${emoji}`), artifacts.get("emoji") === `x${emoji}`];
			storage.kv.put("artifact_chars", 99_999_000);
			return [...isKept, artifacts.put("a", "a".repeat(1_000)), artifacts.put("b", "b"), artifacts.get("b")];
		});
		expect(stored).toEqual([true, true, true, false, undefined]);
	});

	it("is given up when a model's answers alone are too much", async () => {
		await call("/api/v1/secrets/LIMIT_KEY", { method: "PUT", body: { value: "limit-key-0123456789" } });
		const provider = { name: "openai", model: "scripted", apiKey: "${LIMIT_KEY}" };
		const agent = await makeAgent({ provider, settings: { max_iterations: 100 } });
		const own = session();
		const call500k = {
			name: "json_extract",
			arguments: JSON.stringify({ json: JSON.stringify("y".repeat(250_000)), path: "nowhere" }),
		};
		const model = scriptedModel([{ calls: [call500k] }]);
		await own.useFetch(model.fetch);
		const view = await own.run(agent, "go on and on");
		expect(view).toMatchObject({
			status: "failed",
			error: { code: "bad_response", message: expect.stringContaining("answers of the turn") },
		});
		expect(model.requests.length).toBeLessThan(20);
	});
});

describe("a watcher that does not read", () => {
	it("holds little of a long log, and gets all of it when it does read", async () => {
		const events = Array.from(
			{ length: 200 },
			(_, at): SessionEvent => ({
				seq: at + 1,
				turnId: "t",
				type: "turn-start",
				data: { message: "m".repeat(60_000) },
			}),
		);
		let read = 0;
		const feed = new EventFeed({
			eventsAfter: (seq, { maxEvents, maxChars }) => {
				const page: SessionEvent[] = [];
				for (let chars = 0; page.length < maxEvents && chars < maxChars; ) {
					const event = events[seq + page.length];
					if (!event) break;
					page.push(event);
					chars += JSON.stringify(event.data).length;
				}
				read += page.length;
				return page;
			},
		});
		const idle = feed.watch({ after: 0 });
		for (let announced = 0; announced < 50; announced++) {
			feed.announce();
			await scheduler.wait(0);
		}
		expect(read).toBeLessThanOrEqual(6);
		const seen = await readEvents(idle, ({ id }) => id === 200);
		expect(seen.map(({ id }) => id)).toEqual(events.map(({ seq }) => seq));
	});

	it("is paged by size out of a real session's log, too", async () => {
		const agent = await makeAgent(manual);
		const own = session();
		for (let turn = 0; turn < 4; turn++) await own.run(agent, `hello ${"z".repeat(60_000)}`);
		const stream = await own.stub().watch(admin, 0);
		const seen = await readEvents(stream ?? new ReadableStream(), ({ id, type }) => type === "turn-end" && id > 9);
		expect(seen.map(({ id }) => id)).toEqual(Array.from({ length: seen.length }, (_, at) => at + 1));
	});
});

it("takes a message of a thousand calls", { timeout: 60_000 }, async () => {
	const agent = await makeAgent(manual);
	const view = await session().run(agent, "/current_time\n".repeat(1_000));
	expect(view).toMatchObject({ status: "completed", iterations: 2 });
	expect(view.toolCalls.every(({ result }) => result?.success)).toBe(true);
});
