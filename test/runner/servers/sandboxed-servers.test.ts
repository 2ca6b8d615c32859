import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { rawServer, textOf } from "./hosting";
import { openSandboxedHosting } from "./sandboxed";

/** Living processes that carry `NAME=value` in their environment. */
function processesWith(mark: string): string[] {
	const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
	return pids.filter((pid) => {
		try {
			return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark);
		} catch {
			return false;
		}
	});
}

const openDescriptors = () => readdirSync("/proc/self/fd").length;

/** A sandboxed hosting with the server that behaves badly in the home of the id "raw". */
async function openRaw() {
	const { hosting, home } = await openSandboxedHosting();
	const folder = path.join(hosting.folder, "raw/home");
	mkdirSync(folder, { recursive: true });
	copyFileSync(rawServer, path.join(folder, "server.mjs"));
	const args = [`${home("raw")}/server.mjs`];
	return {
		hosting,
		home: home("raw"),
		spec: (modes: string[], more: object) => ({ command: "node", args: [...args, ...modes], ...more }),
	};
}

it("runs a server in the sandbox with its declared variables only", async () => {
	const { hosting, home, spec } = await openRaw();
	await using _ = hosting;
	await hosting.put("raw", spec([], { env: { API_KEY: "k" } }));
	const env = JSON.parse(textOf(await hosting.call("raw", await hosting.begin("raw"), "env")) ?? "");
	expect(Object.keys(env).sort()).toEqual(["API_KEY", "HOME", "PATH", "TMPDIR"]);
	expect(env).toMatchObject({ API_KEY: "k", HOME: home });
});

it("leaves no process and no descriptor behind, over 200 edits and restarts", { timeout: 300_000 }, async () => {
	const { hosting, spec } = await openRaw();
	await using _ = hosting;
	const mark = `${process.pid}-${Date.now()}`;
	const edit = async (modes: string[], number: number) => {
		const more = { env: { ORYX_MARK: mark, EDIT: String(number) }, deadlines: { closeGraceMs: 20 } };
		await hosting.put("raw", spec(modes, more));
		return await hosting.begin("raw");
	};
	await edit([], -1);
	const processes = processesWith(`ORYX_MARK=${mark}`).length;
	const descriptors = openDescriptors();
	for (let number = 0; number < 200; number++) {
		const modes = [[], ["grandchild"], ["orphan"], ["noisy"]][number % 4] ?? [];
		const session = await edit(number % 20 === 0 ? ["ignore-eof"] : modes, number);
		if (number % 5 === 0) await hosting.call("raw", session, "die");
		if (number % 7 === 0) void hosting.call("raw", session, "silent");
	}
	await edit([], 200);
	await expect.poll(() => processesWith(`ORYX_MARK=${mark}`).length, { timeout: 20_000 }).toBe(processes);
	expect(openDescriptors()).toBeLessThanOrEqual(descriptors);
	await hosting.request("/mcp/raw/server", { method: "DELETE" });
	expect(processesWith(`ORYX_MARK=${mark}`)).toEqual([]);
});
