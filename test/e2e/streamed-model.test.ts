import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiOf, type Call } from "../support/node/api-client";
import { type LocalSite, openSite } from "../support/node/local-site";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";
import { readEvents } from "../support/node/read-events";

let model: LLMock;
let site: LocalSite;
let home: Home;
let oryx: OryxProcess;
let call: Call;

beforeAll(async () => {
	model = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 5, latency: 40 });
	await model.start();
	site = await openSite("<h1>Tides</h1><p>High water at 14:05.</p>");
	home = await makeHome({
		ORYX_MODEL: "openai:gpt-5-mini",
		ORYX_MODEL_BASE_URL: `${model.url}/v1`,
		ORYX_MODEL_API_KEY: "e2e-key",
	});
	oryx = await startOryx(home);
	call = apiOf(home);
	await call("POST", "/notify-channels", { name: "crew", type: "webhook", url: `${site.address}/hook` });
	await call("POST", "/sandbox/whitelist/HTTP", { value: site.address });
	await call("POST", "/agents", { name: "harbour", prompt: "You watch the tide.", tools: ["fetch_webpage", "notify"] });
}, 120_000);

afterAll(async () => {
	await oryx?.kill();
	home?.discard();
	await site?.close();
	await model?.stop();
});

describe("a turn on an OpenAI-compatible server", () => {
	it("streams the answer after it has read the page and told the group", async () => {
		const question = "When is high water? Tell the crew.";
		const toolCall = (name: string, input: object) => ({ toolCalls: [{ name, arguments: JSON.stringify(input) }] });
		model.on({ userMessage: question, turnIndex: 0 }, toolCall("fetch_webpage", { url: `${site.address}/tides` }));
		model.on(
			{ userMessage: question, turnIndex: 1 },
			toolCall("notify", { channel: "crew", content: "High water at 14:05." }),
		);
		model.on({ userMessage: question, turnIndex: 2 }, { content: "High water is at 14:05; the crew knows." });

		const events = await readEvents(home, "/agents/harbour/turns", { message: question });

		const kinds = events.map(({ type }) => type);
		expect(kinds.at(0)).toBe("turn-start");
		expect(kinds.at(-1)).toBe("turn-end");
		expect(kinds.filter((kind) => kind === "tool-result")).toHaveLength(2);
		expect(kinds.filter((kind) => kind === "text-delta").length).toBeGreaterThan(1);
		const said = events.flatMap(({ type, data }) => (type === "text-delta" ? [data.text] : []));
		expect(said.join("")).toBe("High water is at 14:05; the crew knows.");
		expect(events.at(-1)?.data).toMatchObject({
			status: "completed",
			answer: "High water is at 14:05; the crew knows.",
		});
		expect(site.visits.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /tides", "POST /hook"]);
	});

	it("answers when it is tried out", async () => {
		model.on({ userMessage: "Are you there?" }, { content: "Aye." });
		const asked = { message: "Are you there?" };
		expect(await call("POST", "/models/test", asked)).toMatchObject({
			success: true,
			provider: "openai",
			answer: "Aye.",
		});
	});

	it("numbers the events without a gap", async () => {
		model.on({ userMessage: "Say hello." }, { content: "Hello to the harbour." });
		const events = await readEvents(home, "/agents/harbour/turns", { message: "Say hello." });
		const numbers = events.map(({ id }) => id);
		expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
	});
});
