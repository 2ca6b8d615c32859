import { describe, expect, it } from "vitest";
import { answerOf, openHosting, rawServer, textOf } from "./hosting";

const spec = (modes: string[] = [], more: object = {}) => ({ command: "node", args: [rawServer, ...modes], ...more });
const in_ = (session: string) => ({ "mcp-session-id": session });
const silent = (id: number) => ({
	jsonrpc: "2.0",
	id,
	method: "tools/call",
	params: { name: "silent", arguments: {} },
});

describe("the life of a hosted server", () => {
	it("begins with the first request and ends when nobody asks any more; the next request begins another", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec([], { deadlines: { idleStopMs: 150 } }));
		const session = await hosting.begin("raw");
		await expect.poll(async () => (await hosting.status("raw")).state).toBe("stopped");
		expect(await hosting.status("raw")).toMatchObject({ crashes: 0, starts: 1, sessions: 0 });
		expect((await hosting.post("raw", silent(1), in_(session))).status).toBe(404);
		expect(textOf(await hosting.call("raw", await hosting.begin("raw"), "echo"))).toBe("{}");
	});

	it("lasts while a request is open, however long that takes", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec([], { deadlines: { idleStopMs: 100 } }));
		const session = await hosting.begin("raw");
		expect(textOf(await hosting.call("raw", session, "slow", { ms: 400 }))).toBe("late");
	});

	it("has its requests kept alive by progress, up to the end of all patience", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec([], { deadlines: { requestTimeoutMs: 300, maxRequestMs: 1_500 } }));
		const session = await hosting.begin("raw");
		const meta = { _meta: { progressToken: 1 } };
		const enough = await hosting.call("raw", session, "progress", { count: 4, everyMs: 150 }, meta);
		expect(textOf(enough)).toBe("done");
		const tooLong = await hosting.call("raw", session, "progress", { count: 1_000, everyMs: 150 }, meta);
		expect(tooLong.error).toMatchObject({ data: { reason: "timed_out" } });
	});

	it.each([
		["is changed", "The server's configuration was changed."],
		["is removed", "The server was removed."],
		["stops with the runner", "The runner is stopping."],
	])("ends at once for those who wait when it %s", async (_case, reason) => {
		await using hosting = openHosting();
		await hosting.put("raw", spec());
		const waiting = hosting.post("raw", silent(5), in_(await hosting.begin("raw")));
		await expect.poll(async () => (await hosting.status("raw")).calls).toBe(1);
		if (reason.includes("changed")) await hosting.put("raw", spec(["other"]));
		else if (reason.includes("removed")) await hosting.request("/mcp/raw/server", { method: "DELETE" });
		else await hosting.servers.close();
		const { error } = await answerOf(await waiting);
		expect(error).toMatchObject({ data: { reason: "stopped", outcome: "unknown" } });
		expect(error?.message).toContain(reason);
	});

	it("is started once for many who come at the same time", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec());
		const sessions = await Promise.all(Array.from({ length: 20 }, () => hosting.begin("raw")));
		expect(new Set(sessions).size).toBe(20);
		expect(await hosting.status("raw")).toMatchObject({ starts: 1, sessions: 20 });
	});

	it("makes room for new sessions by ending the one that was used longest ago", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec());
		const first = await hosting.begin("raw");
		const second = await hosting.begin("raw");
		for (let more = 0; more < 255; more++) {
			await hosting.begin("raw");
			await hosting.call("raw", first, "echo");
		}
		expect(await hosting.status("raw")).toMatchObject({ sessions: 256 });
		expect((await hosting.post("raw", silent(1), in_(second))).status).toBe(404);
		expect(textOf(await hosting.call("raw", first, "echo"))).toBe("{}");
	});
});
