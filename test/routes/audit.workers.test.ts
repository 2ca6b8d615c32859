import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../src/db/client";
import { insertLlmCalls } from "../../src/db/llm-calls";
import { uuid7 } from "../../src/lib/uuid7";
import { csvCell } from "../../src/routes/export-rows";
import { call } from "../support/workers/api";
import { invocation, store } from "../support/workers/invocations";
import { makeToken } from "../support/workers/tokens";

const at = "/api/v1/tool-invocations";
const rows = [
	invocation("2026-01-01T00:00:00.000Z", { toolName: "notify", agent: "one" }),
	invocation("2026-01-02T00:00:00.000Z", {
		success: false,
		code: "not_listed",
		gate: "lists",
		errorMessage: '=cmd|"x"!A1',
	}),
	invocation("2026-01-03T00:00:00.000Z", { sessionId: "s-2", inputJson: '{"a":"1,2\\n3"}' }),
	invocation("2026-01-04T00:00:00.000Z", { principal: "somebody", success: null, resultJson: null, durationMs: null }),
];
const newestFirst = rows.map(({ id }) => id).reverse();

const idsOf = async (path: string, token?: string) => {
	const { status, json, text } = await call(path, token === undefined ? {} : { token });
	expect(status, text).toBe(200);
	return (json as { items: { id: string }[] }).items.map(({ id }) => id);
};

beforeAll(() => store(rows));

describe("the list of tool calls", () => {
	it("has the newest first, whole and with nothing made up", async () => {
		expect(await idsOf(at)).toEqual(newestFirst);
		const { json } = await call(`${at}/${rows[1]?.id}`);
		expect(json).toEqual(JSON.parse(JSON.stringify(rows[1])));
	});

	it.each([
		["tool=notify", [0]],
		["agent=one", [0]],
		["session=s-2", [2]],
		["success=false", [1]],
		["success=true", [2, 0]],
		["since=2026-01-02T00:00:00Z", [3, 2, 1]],
		["until=2026-01-02T00:00:00Z", [1, 0]],
		["since=2026-01-02T00:00:00Z&until=2026-01-03T00:00:00Z&success=true", [2]],
		["tool=unknown", []],
	])("is filtered by %s", async (query, expected) => {
		expect(await idsOf(`${at}?${query}`)).toEqual(expected.map((index) => rows[index]?.id));
	});

	it("comes in pages while new calls arrive", async () => {
		const first = await call(`${at}?limit=3`);
		const { items, nextCursor } = first.json as { items: { id: string }[]; nextCursor: string };
		await store([invocation("2026-01-05T00:00:00.000Z", { agent: "late" })]);
		const rest = await idsOf(`${at}?limit=3&cursor=${encodeURIComponent(nextCursor)}`);
		expect([...items.map(({ id }) => id), ...rest]).toEqual(newestFirst);
		await env.DB.prepare("DELETE FROM tool_invocations WHERE agent = 'late'").run();
	});

	it.each(["success=maybe", "since=yesterday", "agnet=one", "session=../x"])("refuses %s", async (query) => {
		expect((await call(`${at}?${query}`)).status).toBe(400);
	});

	it("shows a user his own calls only", async () => {
		const { id, token } = await makeToken({});
		const own = invocation("2026-02-01T00:00:00.000Z", { principal: id });
		await store([own]);
		expect(await idsOf(at, token)).toEqual([own.id]);
		expect((await call(`${at}/${rows[0]?.id}`, { token })).status).toBe(404);
		expect((await call(`${at}/${own.id}`, { token })).status).toBe(200);
		const { text } = await call(`${at}/export`, { token });
		expect(text.trim().split("\n")).toHaveLength(1);
		await env.DB.prepare("DELETE FROM tool_invocations WHERE id = ?").bind(own.id).run();
	});
});

describe("an export", () => {
	it("has a line of JSON for each call", async () => {
		const { headers, text } = await call(`${at}/export?format=ndjson&agent=ops`);
		expect(headers.get("content-type")).toBe("application/x-ndjson");
		expect(headers.get("content-disposition")).toContain("tool-invocations.ndjson");
		const ids = text
			.trim()
			.split("\n")
			.map((line) => (JSON.parse(line) as { id: string }).id);
		expect(ids).toEqual(newestFirst.slice(0, 3));
	});

	it("is CSV that a spreadsheet reads and runs nothing of", async () => {
		const { headers, text } = await call(`${at}/export?format=csv`);
		expect(headers.get("content-type")).toContain("text/csv");
		const lines = text.split("\r\n");
		expect(lines[0]).toMatch(/^id,createdAt,toolName,success,code,/);
		expect(lines).toHaveLength(rows.length + 2);
		expect(text).toContain(`,"'=cmd|""x""!A1",`);
		expect(text).toContain('"{""a"":""1,2\\n3""}"');
	});

	it("streams more rows than a page holds, each once", async () => {
		const many = Array.from({ length: 450 }, () => invocation("2026-03-01T00:00:00.000Z", { agent: "many" }));
		await store(many);
		const { text } = await call(`${at}/export?agent=many`);
		const ids = text
			.trim()
			.split("\n")
			.map((line) => (JSON.parse(line) as { id: string }).id);
		expect(ids).toEqual(
			many
				.map(({ id }) => id)
				.sort()
				.reverse(),
		);
		await env.DB.prepare("DELETE FROM tool_invocations WHERE agent = 'many'").run();
	});

	it("of nothing is empty", async () => {
		expect((await call(`${at}/export?agent=nobody`)).text).toBe("");
		expect((await call(`${at}/export?agent=nobody&format=csv`)).text.split("\r\n")).toHaveLength(2);
	});

	it("in another format is refused", async () => {
		expect((await call(`${at}/export?format=xlsx`)).status).toBe(400);
	});
});

describe("a cell of CSV", () => {
	it.each([
		[null, ""],
		["plain", "plain"],
		["a,b", '"a,b"'],
		['say "x"', '"say ""x"""'],
		["two\nlines", '"two\nlines"'],
		["=1+1", "'=1+1"],
		["+1", "'+1"],
		["-1", "'-1"],
		["@SUM(A1)", "'@SUM(A1)"],
		["\t=1", "'\t=1"],
		[-1, "-1"],
		[true, "true"],
		[new Date(0), "1970-01-01T00:00:00.000Z"],
	])("for %j is %s", (value, expected) => {
		expect(csvCell(value)).toBe(expected);
	});
});

describe("the list of model calls", () => {
	it("has the newest first, by session", async () => {
		const made = (sessionId: string) => ({
			id: uuid7(),
			sessionId,
			turnId: null,
			agent: "ops",
			provider: "openai",
			model: "gpt-5",
			inputTokens: 10,
			outputTokens: 2,
			cachedInputTokens: null,
			reasoningTokens: null,
			finishReason: "stop",
			success: true,
			code: null,
			errorMessage: null,
			attempts: 1,
			durationMs: 400,
			createdAt: new Date(),
		});
		const calls = [made("s-1"), made("s-2"), made("s-1"), made("s-1"), made("s-1"), made("s-1"), made("s-1")];
		await insertLlmCalls(connect(env.DB), calls);
		await insertLlmCalls(connect(env.DB), calls);
		expect(await idsOf("/api/v1/llm-calls")).toEqual(calls.map(({ id }) => id).reverse());
		expect(await idsOf("/api/v1/llm-calls?session=s-2")).toEqual([calls[1]?.id]);
	});
});
