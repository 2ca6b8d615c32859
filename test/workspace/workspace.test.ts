import { expect, it } from "vitest";
import { settingsDocument } from "../../src/shared/settings";
import type { WorkspaceContext } from "../../src/workspace/context";
import { Workspace } from "../../src/workspace/workspace";
import { SqliteDatabase } from "../support/node/sqlite-database";

it("leaves nothing of work that there was no room for at its end", async () => {
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
		mayWriteProtected: false,
		documents: { agent: undefined, skills: [], session: undefined },
	});
	await workspace.change(context("1"), (files) => files.write("/workspace/first", new Uint8Array(600)));
	const reply = await workspace.changeWhole(context("2"), async ({ files }) =>
		files.write("/workspace/second", new Uint8Array(600).fill(1)),
	);
	expect(reply).toMatchObject({ ok: false, reason: "quota_exceeded" });
	expect([...db.exec("SELECT id FROM layers WHERE id <> 0")]).toEqual([]);
});
