import { describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually";
import { answerOf, messagesOf, openHosting, rawServer, textOf } from "./hosting";

const spec = (modes: string[] = [], more: object = {}) => ({ command: "node", args: [rawServer, ...modes], ...more });

describe("a hosted server that behaves badly", () => {
	it("prints to its output: the lines are skipped, counted and shown", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec(["noisy"]));
		const session = await hosting.begin("raw");
		expect(textOf(await hosting.call("raw", session, "noise"))).toBe("after noise");
		const { noise } = await hosting.status("raw");
		expect(noise.lines).toBe(4);
		expect(noise.text).toBe('Server is starting …\n{"level":"info"}\n[1, 2]\na line for people\n');
	});

	it("dies in a call: the call fails at once with an unknown outcome, and the next one is served", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec());
		const session = await hosting.begin("raw");
		const { error } = await hosting.call("raw", session, "die");
		expect(error).toMatchObject({ code: -32000, data: { reason: "ended", outcome: "unknown" } });
		expect(error?.message).toBe("The server ended (exit code 3). The outcome of the request is unknown.");
		const lost = await hosting.post("raw", { jsonrpc: "2.0", id: 1, method: "ping" }, { "mcp-session-id": session });
		expect(lost.status).toBe(404);
		expect(await hosting.status("raw")).toMatchObject({ crashes: 1, lastEnd: "exit code 3", code: "ENDED" });
		expect(textOf(await hosting.call("raw", await hosting.begin("raw"), "echo", { a: 1 }))).toBe('{"a":1}');
	});

	it("never answers: the call ends at its deadline and the server is told", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec([], { deadlines: { requestTimeoutMs: 200 } }));
		const session = await hosting.begin("raw");
		const { error } = await hosting.call("raw", session, "silent");
		expect(error).toMatchObject({ code: -32001, data: { reason: "timed_out", outcome: "unknown" } });
		expect(textOf(await hosting.call("raw", session, "cancelled"))).toMatch(/cancelled 2/);
	});

	it("answers nothing from its start: it is stopped at the start deadline", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec(["silent"], { deadlines: { startTimeoutMs: 300 } }));
		await expect(hosting.begin("raw")).rejects.toThrow(/answered nothing within 300 ms/);
		expect(await hosting.status("raw")).toMatchObject({ code: "START_FAILED" });
	});

	it("writes without a line end: it is stopped before it fills the memory", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec([], { maxMessageBytes: 100_000 }));
		const session = await hosting.begin("raw");
		const { error } = await hosting.call("raw", session, "endless");
		expect(error?.message).toMatch(/went on without a line end/);
	});

	it("gives an answer that is too long: that call fails and the others go on", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec([], { maxMessageBytes: 100_000 }));
		const session = await hosting.begin("raw");
		const other = hosting.call("raw", session, "slow", { ms: 200 });
		const { error } = await hosting.call("raw", session, "long", { bytes: 300_000 });
		expect(error).toMatchObject({ data: { reason: "message_too_large", outcome: "unknown" } });
		expect(textOf(await other)).toBe("late");
		expect(await hosting.status("raw")).toMatchObject({ tooLargeMessages: 1, crashes: 0 });
	});

	it("answers twice, and what nobody asked: the first answer counts, the rest is counted", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec());
		const session = await hosting.begin("raw");
		expect(textOf(await hosting.call("raw", session, "twice"))).toBe("first");
		expect(textOf(await hosting.call("raw", session, "stringId"))).toBe("as a string");
		expect((await hosting.status("raw")).strayAnswers).toBe(4);
	});

	it("floods its error output: the end of it is kept", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec());
		const session = await hosting.begin("raw");
		expect(textOf(await hosting.call("raw", session, "flood", { bytes: 20_000_000 }))).toBe("flooded");
		const { stderr } = await eventually(
			() => hosting.status("raw"),
			(now) => now.stderr.droppedCharacters > 19_900_000,
		);
		expect(stderr.text.length + stderr.droppedCharacters).toBe(20_000_000);
	});

	it("prints a declared value: the operator sees its name", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec(["secret"], { env: { API_KEY: "s3cret-value" } }));
		await hosting.begin("raw");
		const { stderr } = await hosting.status("raw");
		expect(stderr.text).toBe("the key is [secret:API_KEY]\n");
	});

	it("ignores the end of its input and SIGTERM: it is killed, with what it started", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec(["ignore-eof"], { deadlines: { closeGraceMs: 100 } }));
		const session = await hosting.begin("raw");
		const pid = Number(textOf(await hosting.call("raw", session, "pid")));
		expect((await hosting.request("/mcp/raw/server", { method: "DELETE" })).status).toBe(204);
		expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
	});

	it("ends at once, again and again: it is started ever later, then no more, until it is put again", async () => {
		await using hosting = openHosting();
		const broken = spec(["die-at-once"]);
		await hosting.put("raw", broken);
		const waits: unknown[] = [];
		for (let tries = 0; tries < 7; tries++) {
			const response = await hosting.post("raw", { jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
			waits.push((await answerOf(response)).error?.data.reason);
		}
		expect(waits.slice(0, 4)).toEqual(["ended", "ended", "ended", "ended"]);
		expect(waits.slice(-2)).toEqual(["backing_off", "backing_off"]);
		expect(await hosting.status("raw")).toMatchObject({ state: "failed", starts: 5 });
		await hosting.put("raw", broken);
		expect(await hosting.status("raw")).toMatchObject({ state: "stopped" });
	});
});

describe("a server of an older revision that is asked which ones it speaks", () => {
	const probe = {
		jsonrpc: "2.0",
		id: 1,
		method: "server/discover",
		params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
	};
	const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "server/discover" };

	it.each(["die-at-probe", "silent-at-probe", "plain"])(
		"may %s: the client hears what makes it fall back",
		async (mode) => {
			await using hosting = openHosting();
			await hosting.put("raw", spec([mode], { deadlines: { startTimeoutMs: 500 } }));
			const response = await hosting.post("raw", probe, headers);
			expect(response.status).toBe(404);
			const [answer] = await messagesOf(response);
			expect(answer).toMatchObject({ id: 1, error: { code: -32601 } });
			expect(textOf(await hosting.call("raw", await hosting.begin("raw"), "echo"))).toBe("{}");
			expect(await hosting.status("raw")).toMatchObject({ crashes: 0 });
		},
	);

	it("is asked once in a process of its own where a session has begun, and never again", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec());
		const session = await hosting.begin("raw");
		for (let times = 0; times < 3; times++) expect((await hosting.post("raw", probe, headers)).status).toBe(404);
		expect(textOf(await hosting.call("raw", session, "echo"))).toBe("{}");
		expect(await hosting.status("raw")).toMatchObject({ starts: 2, crashes: 0, sessions: 1 });
	});
});
