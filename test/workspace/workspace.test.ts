import { expect, it } from "vitest";
import { settingsDocument } from "../../src/shared/settings";
import type { WorkspaceContext } from "../../src/workspace/context";
import type { FileSystem } from "../../src/workspace/file-system";
import { Workspace } from "../../src/workspace/workspace";
import { SqliteDatabase } from "../support/node/sqlite-database";

function openWorkspace() {
	const db = new SqliteDatabase();
	const workspace = new Workspace({
		db,
		now: () => 0,
		newId: () => crypto.randomUUID(),
		documents: () => ({
			skills: [],
			hasMemory: false,
			skill: async () => undefined,
			memory: async () => "",
			artifactIds: async () => [],
			artifact: async () => undefined,
		}),
		due: () => {},
	});
	const context = (callId: string): WorkspaceContext => ({
		workspace: "w",
		callId,
		scope: "turn-1",
		target: { mode: "direct" },
		whitelist: { FILE: [], SHELL: [], HTTP: [] },
		settings: settingsDocument.parse({ files: { maxWorkspaceBytes: 1_000 } }),
		allowLoopback: false,
		interpreters: "supervised",
		programNetwork: "deny",
		mayWriteProtected: false,
		documents: { agent: undefined, skills: [], session: undefined },
	});
	/** Rows that were written since the database was opened. */
	const written = () => db.exec<{ rows: number }>("SELECT total_changes() AS rows").toArray()[0]?.rows;
	return { db, workspace, context, written };
}

it("leaves nothing of work that there was no room for at its end", async () => {
	const { db, workspace, context } = openWorkspace();
	await workspace.change(context("1"), (files) => files.write("/workspace/first", new Uint8Array(600)));
	const reply = await workspace.changeWhole(context("2"), async ({ files }) =>
		files.write("/workspace/second", new Uint8Array(600).fill(1)),
	);
	expect(reply).toMatchObject({ ok: false, reason: "quota_exceeded" });
	expect([...db.exec("SELECT id FROM layers WHERE id <> 0")]).toEqual([]);
});

it("makes a /tmp anew that was first looked at in a change that was given up", async () => {
	const { db, workspace, context } = openWorkspace();
	const reply = await workspace.changeWhole(context("1"), async ({ files }) => {
		const giveUp = () => {
			files.write("/tmp/first", new Uint8Array(6));
			throw new Error("given up");
		};
		expect(() => files.atomically(giveUp)).toThrow("given up");
		files.write("/tmp/second", new Uint8Array(6));
		return files.readDirectory("/tmp").map(({ name }) => name);
	});
	expect(reply).toEqual({ ok: true, value: ["second"] });
	workspace.endScope("turn-1");
	expect([...db.exec("SELECT name FROM nodes")]).toEqual([{ name: "workspace" }]);
});

it("writes nothing for work that only looks", async () => {
	const { workspace, context, written } = openWorkspace();
	await workspace.change(context("1"), (files) => files.write("/workspace/first", new Uint8Array(6)));
	const before = written();
	const reply = await workspace.changeWhole(context("2"), async ({ files }) => files.stat("/workspace/first").size);
	expect(reply).toEqual({ ok: true, value: 6 });
	expect(await workspace.read(context("3"), (files) => files.read("/workspace/first").length)).toMatchObject({
		value: 6,
	});
	expect(written()).toBe(before);
});

it.each<[string, (world: ReturnType<typeof openWorkspace>) => (use: { files: FileSystem }) => Promise<number>]>([
	[
		"has changed a file",
		() =>
			async ({ files }) => {
				files.write("/workspace/first", new Uint8Array(6));
				return 1;
			},
	],
	[
		"has begun to reach out",
		({ workspace }) =>
			async () => {
				workspace.begin("1");
				return 1;
			},
	],
])("answers again, and does not run again, work that %s", async (_, work) => {
	const world = openWorkspace();
	const { workspace, context } = world;
	const first = await workspace.changeWhole(context("1"), work(world));
	const again = await workspace.changeWhole(context("1"), () => Promise.reject(new Error("It was run again.")));
	expect(again).toEqual(first);
});
