import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dangerousNames, launchers } from "../../../src/shared/runner-servers";
import { answerOf, openHosting, rawServer, textOf } from "./hosting";

const spec = (more: object = {}) => ({ command: "node", args: [rawServer], ...more });

describe("putting a server's configuration", () => {
	it("knows fifteen launchers and nineteen names that no configuration may set", () => {
		expect([launchers.length, dangerousNames.size]).toEqual([15, 19]);
	});

	it.each([
		["a program that is no launcher", spec({ command: "bash" })],
		["a path", spec({ command: "/usr/bin/node" })],
		["a path upwards", spec({ command: "../node" })],
		["an option for a name", spec({ command: "-e" })],
		["a NUL in an argument", spec({ args: ["a\0b"] })],
		["a name that is none", spec({ env: { "A=B": "1" } })],
		["an unknown member", spec({ cwd: "/" })],
		["a limit that is none", spec({ limits: { maxMemoryMb: 1 } })],
		["a deadline that is none", spec({ deadlines: { startTimeoutMs: 0 } })],
		["nothing", {}],
	])("is refused for %s", async (_case, body) => {
		await using hosting = openHosting();
		const response = await hosting.put("bad", body);
		expect([response.status, (await response.json()).code]).toEqual([400, "invalid_input"]);
		expect((await hosting.request("/mcp/bad/server")).status).toBe(404);
	});

	it.each([...dangerousNames, "ld_preload", "Path", "LD_BIND_NOW", "DYLD_ANYTHING"])(
		"is refused for %s",
		async (name) => {
			await using hosting = openHosting();
			expect((await hosting.put("bad", spec({ env: { [name]: "x" } }))).status).toBe(400);
		},
	);

	it.each(["..", "a b", "%2e%2e%2fx", ".hidden", "x".repeat(65)])("is refused for the id %s", async (id) => {
		await using hosting = openHosting();
		expect((await hosting.put(id, spec())).status).toBeGreaterThanOrEqual(400);
		expect(readdirSync(hosting.folder)).toEqual([]);
	});

	it("takes a launcher that an administrator added", async () => {
		await using hosting = openHosting();
		expect((await hosting.put("more", spec({ command: "added" }))).status).toBe(200);
	});

	it("starts nothing, and says what is in force", async () => {
		await using hosting = openHosting();
		const status = await (await hosting.put("raw", spec())).json();
		expect(status).toMatchObject({ id: "raw", command: "node", state: "stopped", starts: 0, sessions: 0, calls: 0 });
		expect(status.configHash).toMatch(/^[0-9a-f]{64}$/);
		expect(await (await hosting.request("/mcp")).json()).toEqual({ servers: [status] });
	});

	it("keeps the process when nothing changes, whatever the order of members", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec({ env: { A: "1", B: "2" } }));
		const session = await hosting.begin("raw");
		await hosting.put("raw", { args: [rawServer], env: { B: "2", A: "1" }, command: "node" });
		expect(textOf(await hosting.call("raw", session, "echo"))).toBe("{}");
		expect(await hosting.status("raw")).toMatchObject({ starts: 1 });
	});
});

describe("what a server gets", () => {
	it("is its declared variables, and PATH, HOME and TMPDIR of the runner", async () => {
		process.env.ORYX_TEST_SECRET = "must not be seen";
		await using hosting = openHosting({ searchPath: path.dirname(process.execPath) });
		await hosting.put("raw", spec({ env: { API_KEY: "k" } }));
		const env = JSON.parse(textOf(await hosting.call("raw", await hosting.begin("raw"), "env")) ?? "");
		delete process.env.ORYX_TEST_SECRET;
		expect(env).toEqual({
			PATH: path.dirname(process.execPath),
			HOME: path.join(hosting.folder, "raw/home"),
			TMPDIR: path.join(hosting.folder, "raw/tmp"),
			API_KEY: "k",
		});
	});

	it("is a home that lasts, a temporary folder that does not, and neither once it is removed", async () => {
		await using hosting = openHosting();
		await hosting.put("raw", spec());
		await hosting.begin("raw");
		const [home, temporary] = ["home/kept", "tmp/lost"].map((name) => path.join(hosting.folder, "raw", name));
		for (const file of [home, temporary]) writeFileSync(file ?? "", "");
		await hosting.put("raw", spec({ env: { CHANGED: "1" } }));
		await hosting.begin("raw");
		expect([existsSync(home ?? ""), existsSync(temporary ?? "")]).toEqual([true, false]);
		await hosting.request("/mcp/raw/server", { method: "DELETE" });
		expect(existsSync(path.join(hosting.folder, "raw"))).toBe(false);
	});
});

describe("a launcher", () => {
	let folder: string;
	beforeAll(() => {
		folder = mkdtempSync(path.join(tmpdir(), "oryx-launchers-"));
		writeFileSync(path.join(folder, "hang"), "#!/bin/sh\nexec sleep 1000\n");
		chmodSync(path.join(folder, "hang"), 0o755);
		writeFileSync(path.join(folder, "added"), "not for running");
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };

	it.each(["docker", "added"])("that is missing is said to be: %s", async (command) => {
		await using hosting = openHosting({ searchPath: folder });
		const put = await (await hosting.put("raw", spec({ command }))).json();
		expect(put).toMatchObject({ state: "unavailable", code: "LAUNCHER_UNAVAILABLE" });
		const response = await hosting.post("raw", initialize);
		expect(response.status).toBe(503);
		const { error } = await answerOf(response);
		expect(error?.data).toEqual({ reason: "launcher_unavailable", outcome: "not_started" });
		expect(error?.message).toBe(`The runner has no program ${command}, so this server cannot be started.`);
	});

	it("that hangs is found out before the server is started", async () => {
		await using hosting = openHosting({ searchPath: `${folder}:/usr/bin:/bin` });
		const put = await (await hosting.put("raw", spec({ command: "hang" }))).json();
		expect(put).toMatchObject({ code: "LAUNCHER_UNRESPONSIVE" });
		const { error } = await answerOf(await hosting.post("raw", initialize));
		expect(error).toMatchObject({ data: { reason: "launcher_unresponsive", outcome: "not_started" } });
		expect(await hosting.status("raw")).toMatchObject({ code: "LAUNCHER_UNRESPONSIVE", starts: 0 });
	});
});
