import { describe, expect, it } from "vitest";
import type { TurnView } from "../../src/agent/view";
import { type ScriptedAnswer, type ScriptedModel, scriptedModel } from "../support/scripted-model";
import { call } from "../support/workers/api";
import { admin, makeAgent, readEvents, session } from "../support/workers/session";

const canary = "model-key-canary-0001";

/** Runs a turn on a model that answers so, then another on one that answers well, and holds the conversation against the rules. */
async function converse(script: readonly ScriptedAnswer[]) {
	await call("/api/v1/secrets/MODEL_KEY", { method: "PUT", body: { value: canary } });
	const agent = await makeAgent({ provider: { name: "openai", model: "scripted", apiKey: "${MODEL_KEY}" } });
	const own = session();
	const model = scriptedModel(script);
	await own.useFetch(model.fetch);
	const turnId = await own.start(agent, "What time is it?");
	const stream = (await own.stub().watch(admin, 0, turnId)) as ReadableStream<Uint8Array>;
	const events = await readEvents(stream);
	const view = await own.over(turnId);

	const good = scriptedModel([{ text: "Fine again." }]);
	await own.useFetch(good.fetch);
	expect(await own.run(agent, "Go on.")).toMatchObject({ status: "completed", answer: "Fine again." });
	for (const { messages } of [...model.requests, ...good.requests]) expectValid(messages);
	expect(JSON.stringify([view, events, model.requests.map(({ messages }) => messages)])).not.toContain(canary);
	return { view, events, model };
}

/** What every vendor demands: each call has one result, right behind it; the ids are unique; the last word is not the model's. */
function expectValid(messages: ScriptedModel["requests"][number]["messages"]): void {
	const ids = messages.flatMap(({ tool_calls }) => tool_calls?.map(({ id }) => id) ?? []);
	expect(new Set(ids).size).toBe(ids.length);
	for (const [at, { role, tool_calls = [], content }] of messages.entries()) {
		const results = messages.slice(at + 1, at + 1 + tool_calls.length);
		expect(results.map((message) => message.tool_call_id)).toEqual(tool_calls.map(({ id }) => id));
		if (role === "assistant") expect(content || tool_calls.length > 0).toBeTruthy();
	}
	expect(messages.filter(({ role }) => role === "tool")).toHaveLength(ids.length);
	expect(messages.at(-1)?.role).not.toBe("assistant");
}

const chunk = (choice: Record<string, unknown>): string =>
	`data: ${JSON.stringify({ id: "c", model: "scripted", choices: [{ index: 0, ...choice }] })}\n\n`;
const calls = (...deltas: readonly Record<string, unknown>[]): string =>
	deltas.map((delta, index) => chunk({ delta: { tool_calls: [{ index, type: "function", ...delta }] } })).join("");
const ended = (reason: string | null): string => `${chunk({ delta: {}, finish_reason: reason })}data: [DONE]\n\n`;
const clock = { name: "current_time", arguments: "{}" };
const text = (content: string): string => chunk({ delta: { content } });
const late = { text: "It is late." };
const resultsOf = (view: TurnView) => view.toolCalls.map(({ result }) => result?.code ?? "ok");

describe("an answer with strange calls", () => {
	it.each<[string, string, string[]]>([
		[
			"broken JSON",
			calls({ id: "a", function: { ...clock, arguments: '{"timezone":' } }) + ended("tool_calls"),
			["invalid_arguments"],
		],
		[
			"a list for arguments",
			calls({ id: "a", function: { ...clock, arguments: "[1]" } }) + ended("tool_calls"),
			["invalid_arguments"],
		],
		[
			"arguments off the schema",
			calls({ id: "a", function: { ...clock, arguments: '{"timezone":7}' } }) + ended("tool_calls"),
			["invalid_arguments"],
		],
		["no arguments at all", calls({ id: "a", function: { name: "current_time" } }) + ended("tool_calls"), ["ok"]],
		[
			"an unknown tool",
			calls({ id: "a", function: { ...clock, name: "launch" } }) + ended("tool_calls"),
			["unknown_tool"],
		],
		["no name", calls({ id: "a", function: { arguments: '{"a":1}' } }) + ended("tool_calls"), ["unknown_tool"]],
		[
			"one id twice",
			calls({ id: "a", function: clock }, { id: "a", function: clock }) + ended("tool_calls"),
			["ok", "ok"],
		],
		["no ids", calls({ function: clock }, { function: clock }) + ended("tool_calls"), ["ok", "ok"]],
		["empty ids", calls({ id: "", function: clock }, { id: "", function: clock }) + ended("tool_calls"), ["ok", "ok"]],
		["another reason than calls", calls({ id: "a", function: clock }) + ended("stop"), ["ok"]],
		["no reason", calls({ id: "a", function: clock }) + ended(null), ["ok"]],
		[
			"the limit of its length reached",
			calls({ id: "a", function: { ...clock, arguments: '{"timezo' } }) + ended("length"),
			["invalid_arguments"],
		],
		[
			"whole arguments at the limit of its length",
			calls({ id: "a", function: clock }) + ended("length"),
			["invalid_arguments"],
		],
	])("is worked with: %s", async (_, sse, codes) => {
		const { view } = await converse([{ sse }, late]);
		expect(view).toMatchObject({ status: "completed", answer: "It is late.", iterations: 2 });
		expect(resultsOf(view)).toEqual(codes);
	});
});

describe("an answer that can be asked for again", () => {
	const slowDown = (headers: Record<string, string>, error: object = { message: "Slow down" }): ScriptedAnswer => ({
		status: 429,
		headers,
		body: JSON.stringify({ error }),
	});
	const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "1.2s" };

	it.concurrent.each<[string, ScriptedAnswer, string]>([
		["a connection that breaks", { sse: text("It is ea"), breaks: true }, "broke off"],
		["a stream that stops within a chunk", { sse: `${text("It is ea")}data: {"id":"c","cho` }, "broke off"],
		["no bytes at all", { sse: "" }, "broke off"],
		["an end without an answer", { sse: ended("tool_calls") }, "was empty"],
		[
			"an error in a 200",
			{ sse: `${text("It is ea")}data: {"error":{"message":"Overloaded","code":503}}\n\n` },
			"Overloaded",
		],
		[
			"an error event in a 200",
			{ sse: 'event: error\ndata: {"error":{"message":"Overloaded","code":503}}\n\n' },
			"Overloaded",
		],
		["a server error", { status: 500, body: "oops" }, "HTTP 500"],
		["no connection", "unreachable", "could not be reached"],
		["a 429 without a time", slowDown({}), "HTTP 429"],
		["a 429 with seconds", slowDown({ "retry-after": "1" }), "HTTP 429"],
		["a 429 with milliseconds", slowDown({ "retry-after-ms": "900", "retry-after": "0" }), "HTTP 429"],
		["a 429 with a date", slowDown({ "retry-after": new Date(Date.now() + 2_000).toUTCString() }), "HTTP 429"],
		["a 429 with a reset", slowDown({ "x-ratelimit-reset-requests": "1s" }), "HTTP 429"],
		["a 429 with its time in the body", slowDown({}, { code: 429, details: [retryInfo] }), "HTTP 429"],
	])("is asked for again: %s", async (_, failing, reason) => {
		const { view, events, model } = await converse([failing, late]);
		expect(view).toMatchObject({ status: "completed", answer: "It is late.", iterations: 1 });
		expect(model.requests).toHaveLength(2);
		const waited = events.find(({ type }) => type === "turn-wait");
		expect(waited?.data).toMatchObject({ type: "retry", reason: expect.stringContaining(reason) });
		// What a watcher keeps is what came after the last reset.
		const from = events.findLastIndex(({ type }) => type === "text-reset");
		const kept = events.slice(from).flatMap(({ type, data }) => (type === "text-delta" ? [data.text] : []));
		expect([from >= 0, kept.join("")]).toEqual([true, "It is late."]);
	});
});

describe("an answer that ends the turn", () => {
	const error = (status: number, code: string, message = "No."): ScriptedAnswer => ({
		status,
		body: JSON.stringify({ error: { code, message } }),
	});

	it.concurrent.each<[string, ScriptedAnswer, string]>([
		["a wrong key", error(401, "invalid_api_key", `Incorrect API key provided: ${canary}`), "unauthorized"],
		["no such model", error(404, "model_not_found"), "model_not_found"],
		["a spent quota, though it says 429", error(429, "insufficient_quota"), "quota_exceeded"],
		["too long a history", error(400, "context_length_exceeded"), "context_too_long"],
		["a request it does not take", error(400, "invalid_request_error"), "invalid_request"],
		["a redirect", { status: 302, body: "", headers: { location: "https://elsewhere.example/" } }, "endpoint_refused"],
		["a web page", { status: 200, body: "<html>Sign in</html>" }, "bad_response"],
		["a wrong key in a 200", { sse: 'data: {"error":{"code":"invalid_api_key","message":"No."}}\n\n' }, "unauthorized"],
		["not a word", { sse: ended("stop") }, "empty_answer"],
		["a connection that always breaks", { sse: text("It is ea"), breaks: true }, "stream_cut"],
		["nothing, again and again", { sse: "" }, "stream_cut"],
		["no connection, again and again", "unreachable", "network"],
	])("fails it with a typed error: %s", async (_, failing, code) => {
		const { view, events } = await converse([failing]);
		expect(view).toMatchObject({
			status: "failed",
			answer: "",
			error: { code, message: expect.stringMatching(/^[A-Za-z].*\.$/) },
		});
		expect(events.at(-1)).toMatchObject({ type: "turn-end", data: { status: "failed", error: { code } } });
	});

	it("keeps the results of the calls before it", async () => {
		const { view } = await converse([{ calls: [clock] }, error(401, "invalid_api_key")]);
		expect([view.status, resultsOf(view)]).toEqual(["failed", ["ok"]]);
	});
});
