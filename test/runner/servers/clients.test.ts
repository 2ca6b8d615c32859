import { describe, expect, it } from "vitest";
import { answerOf, type Hosting, messagesOf, openHosting, rawServer, textOf } from "./hosting";

const spec = { command: "node", args: [rawServer] };
const in_ = (session: string) => ({ "mcp-session-id": session });
const callOf = (id: unknown, name: string, given: object = {}, meta?: object) => ({
	jsonrpc: "2.0",
	id,
	method: "tools/call",
	params: { name, arguments: given, ...(meta && { _meta: meta }) },
});

async function openTwo(capabilities: object[] = [{}, {}]) {
	const hosting = openHosting();
	await hosting.put("raw", spec);
	const sessions = await Promise.all(capabilities.map((capability) => hosting.begin("raw", capability)));
	return { hosting, one: sessions[0] ?? "", two: sessions[1] ?? "" };
}

/** Opens the standing stream of a session; `next` answers the message that comes next. */
async function listen(hosting: Hosting, session: string) {
	const response = await hosting.request("/mcp/raw", { headers: { accept: "text/event-stream", ...in_(session) } });
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	return {
		next: async () => JSON.parse(/^data: (.*)$/m.exec((await reader?.read())?.value ?? "")?.[1] ?? "null"),
		isOver: async () => (await reader?.read())?.done === true,
	};
}

describe("two clients of one server process", () => {
	it("share it: it is started and initialised once", async () => {
		const { hosting, one, two } = await openTwo();
		await using _ = hosting;
		expect(textOf(await hosting.call("raw", one, "pid"))).toBe(textOf(await hosting.call("raw", two, "pid")));
		expect(textOf(await hosting.call("raw", one, "cancelled"))).toBe("initialized 1");
		expect(await hosting.status("raw")).toMatchObject({ starts: 1, sessions: 2, state: "running" });
	});

	it("may use the same ids and progress tokens at the same time", async () => {
		const { hosting, one, two } = await openTwo();
		await using _ = hosting;
		const ask = async (session: string, count: number) => {
			const call = callOf(7, "progress", { count, everyMs: 5 }, { progressToken: "t" });
			return await messagesOf(await hosting.post("raw", call, in_(session)));
		};
		const [first, second] = await Promise.all([ask(one, 3), ask(two, 5)]);
		const progress = (count: number) =>
			Array.from({ length: count }, (_, at) => ({
				jsonrpc: "2.0",
				method: "notifications/progress",
				params: { progressToken: "t", progress: at + 1 },
			}));
		expect(first.slice(0, -1)).toEqual(progress(3));
		expect(second.slice(0, -1)).toEqual(progress(5));
		expect([first.at(-1)?.id, second.at(-1)?.id]).toEqual([7, 7]);
	});

	it("may not use one id twice at a time in one session", async () => {
		const { hosting, one } = await openTwo();
		await using _ = hosting;
		const first = hosting.post("raw", callOf(1, "slow", { ms: 100 }), in_(one));
		const second = await hosting.post("raw", callOf(1, "echo"), in_(one));
		expect([second.status, (await answerOf(second)).error?.code]).toEqual([400, -32600]);
		expect(textOf(await answerOf(await first))).toBe("late");
	});

	it("cancel only what is their own", async () => {
		const { hosting, one, two } = await openTwo();
		await using _ = hosting;
		const pending = [one, two].map((session) => hosting.post("raw", callOf("c", "silent"), in_(session)));
		await expect.poll(async () => (await hosting.status("raw")).calls).toBe(2);
		const params = { requestId: "c", reason: "changed my mind" };
		await hosting.post("raw", { jsonrpc: "2.0", method: "notifications/cancelled", params }, in_(two));
		expect(await (await pending[1])?.text()).toBe("");
		// Ours: two calls were sent after the one initialisation, and the second of them is meant.
		expect(textOf(await hosting.call("raw", one, "cancelled"))).toBe("initialized 1,cancelled 3");
		expect(await hosting.status("raw")).toMatchObject({ calls: 1 });
	});

	it("hear an announcement over their own streams", async () => {
		const { hosting, one, two } = await openTwo();
		await using _ = hosting;
		const stream = await listen(hosting, two);
		const answers = await messagesOf(await hosting.post("raw", callOf(1, "changed"), in_(one)));
		const announcement = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
		expect(answers[0]).toEqual(announcement);
		expect(await stream.next()).toEqual(announcement);
		await hosting.request("/mcp/raw", { method: "DELETE", headers: in_(two) });
		expect(await stream.isOver()).toBe(true);
	});

	it("lose nothing when one of them ends its session", async () => {
		const { hosting, one, two } = await openTwo();
		await using _ = hosting;
		const pending = hosting.post("raw", callOf(1, "silent"), in_(one));
		await expect.poll(async () => (await hosting.status("raw")).calls).toBe(1);
		const ended = await hosting.request("/mcp/raw", { method: "DELETE", headers: in_(one) });
		expect(ended.status).toBe(204);
		expect(await (await pending).text()).toBe("");
		expect((await hosting.post("raw", callOf(2, "echo"), in_(one))).status).toBe(404);
		expect(textOf(await hosting.call("raw", two, "echo"))).toBe("{}");
	});
});

describe("a server that asks its client something", () => {
	const answer = async (hosting: Hosting, session: string, id: unknown, result: object) =>
		(await hosting.post("raw", { jsonrpc: "2.0", id, result }, in_(session))).status;

	it("asks the one that is at work and can answer, along with its request", async () => {
		const { hosting, one, two } = await openTwo([{ sampling: {} }, { sampling: {} }]);
		await using _ = hosting;
		const response = await hosting.post("raw", callOf(1, "ask", { method: "sampling/createMessage" }), in_(one));
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		expect(await answer(hosting, two, "q2", { from: "the wrong one" })).toBe(202);
		expect(await answer(hosting, one, "q2", { from: "the right one" })).toBe(202);
		const messages = await messagesOf(response);
		expect(messages[0]).toEqual({ jsonrpc: "2.0", id: "q2", method: "sampling/createMessage", params: {} });
		expect(JSON.parse(textOf(messages[1] as never) ?? "")).toEqual({ from: "the right one" });
	});

	it("asks over the standing stream where there is one", async () => {
		const { hosting, one } = await openTwo([{ roots: {} }]);
		await using _ = hosting;
		const stream = await listen(hosting, one);
		const call = hosting.post("raw", callOf(1, "ask", { method: "roots/list", askId: 5 }), in_(one));
		expect(await stream.next()).toMatchObject({ id: 5, method: "roots/list" });
		await answer(hosting, one, 5, { roots: [] });
		expect(textOf(await answerOf(await call))).toBe('{"roots":[]}');
	});

	it.each([
		["nobody can answer", [{}], "elicitation/create"],
		["two are at work and it might mean either", [{ sampling: {} }, { sampling: {} }], "sampling/createMessage"],
	])("is refused when %s", async (_case, capabilities, method) => {
		const { hosting, one, two } = await openTwo(capabilities);
		await using _ = hosting;
		const other = two && hosting.post("raw", callOf(1, "slow", { ms: 300 }), in_(two));
		const refusal = { code: -32601, message: `No client can be asked for ${method} now.` };
		expect(JSON.parse(textOf(await hosting.call("raw", one, "ask", { method })) ?? "")).toEqual(refusal);
		await other;
	});

	it("is answered by the runner when it only wants to know whether anybody is there", async () => {
		const { hosting, one } = await openTwo();
		await using _ = hosting;
		expect(textOf(await hosting.call("raw", one, "ask", { method: "ping" }))).toBe("{}");
	});

	it("hears that the client is gone", async () => {
		const { hosting, one, two } = await openTwo([{ sampling: {} }, {}]);
		await using _ = hosting;
		const call = await hosting.post("raw", callOf(1, "ask", { method: "sampling/createMessage" }), in_(one));
		await hosting.request("/mcp/raw", { method: "DELETE", headers: in_(one) });
		await call.text();
		// The server's own answer to that call is a stray: its client is gone.
		await hosting.call("raw", two, "echo");
		expect((await hosting.status("raw")).strayAnswers).toBe(1);
	});
});

describe("what passes through", () => {
	it("is not changed by one character, ids apart", async () => {
		const { hosting, one } = await openTwo();
		await using _ = hosting;
		const result =
			'{"content": [{"type": "hologram", "n": 12345678901234567890, "f": 1.0}], "1": 0, "b": "\\u00e9", "_meta": {"id": 1}}';
		const call = callOf("id", "raw", { result });
		const response = await hosting.post("raw", call, in_(one));
		expect(response.headers.get("content-type")).toBe("application/json");
		expect(await response.text()).toBe(`{"jsonrpc": "2.0", "id": "id", "result": ${result}}`);
	});

	it("may be JSON of several lines", async () => {
		const { hosting, one } = await openTwo();
		await using _ = hosting;
		const text = JSON.stringify(callOf(1, "echo", { a: "b\nc" }), undefined, "\t");
		expect(textOf(await answerOf(await hosting.post("raw", text, in_(one))))).toBe('{"a":"b\\nc"}');
	});

	it("comes as a stream when it takes long, so that nobody on the way gives up", async () => {
		await using hosting = openHosting({ streamAfterMs: 50 });
		await hosting.put("raw", spec);
		const one = await hosting.begin("raw");
		const response = await hosting.post("raw", callOf(1, "slow", { ms: 200 }), in_(one));
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		expect(textOf(await answerOf(response))).toBe("late");
	});

	it("is refused where it is no message, too large, from a web page, or of no session", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", { ...spec, maxMessageBytes: 2_000 });
		const one = await hosting.begin("raw");
		const post = async (body: string | object, headers: Record<string, string> = in_(one)) =>
			(await hosting.post("raw", body, headers)).status;
		expect(await post("{")).toBe(400);
		expect(await post("[]")).toBe(400);
		expect(await post(callOf(1, "echo", { a: "x".repeat(3_000) }))).toBe(413);
		expect(await post(callOf(1, "echo"), { ...in_(one), origin: "https://example.com" })).toBe(403);
		expect(await post(callOf(1, "echo"), {})).toBe(400);
		expect(await post(callOf(1, "echo"), in_("unknown"))).toBe(404);
		expect((await hosting.request("/mcp/raw")).status).toBe(405);
		expect((await hosting.request("/mcp/raw", { method: "DELETE" })).status).toBe(405);
		expect((await hosting.post("other", callOf(1, "echo"))).status).toBe(404);
	});
});
