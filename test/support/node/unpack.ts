import { settingsDocument } from "../../../src/shared/settings";
import { importArchive } from "../../../src/workspace/archive/import-archive";
import type { WorkspaceContext } from "../../../src/workspace/context";
import type { FileSystem } from "../../../src/workspace/file-system";
import { Workspace } from "../../../src/workspace/workspace";
import { contentsOf } from "./open-files";
import { SqliteDatabase } from "./sqlite-database";

interface Over {
	readonly files?: { maxFileBytes?: number; maxWorkspaceBytes?: number };
	readonly mayWriteProtected?: boolean;
}

/** A workspace that archives are unpacked into. */
export function unpackingWorld(over: Over = {}) {
	const db = new SqliteDatabase();
	const workspace = new Workspace({
		db,
		now: () => Date.UTC(2026, 10, 30),
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
	const contextOf = (more: Partial<WorkspaceContext> = {}): WorkspaceContext => {
		const callId = crypto.randomUUID();
		return {
			workspace: "w",
			callId,
			scope: callId,
			target: { mode: "direct" },
			whitelist: { FILE: [], SHELL: [], HTTP: [] },
			settings: settingsDocument.parse({ files: over.files ?? {} }),
			allowLoopback: false,
			interpreters: "supervised",
			programNetwork: "deny",
			mayWriteProtected: over.mayWriteProtected ?? false,
			documents: { agent: undefined, skills: [], session: undefined },
			...more,
		};
	};
	/** Uses the files behind the back of every rule. */
	async function onFiles<Value>(use: (files: FileSystem) => Value): Promise<Value> {
		const reply = await workspace.change(
			contextOf({ mayWriteProtected: true, whitelist: { FILE: ["/"], SHELL: [], HTTP: [] } }),
			use,
		);
		if (!reply.ok) throw new Error(reply.message);
		return reply.value;
	}
	return {
		db,
		workspace,
		contextOf,
		onFiles,
		tree: () => onFiles((files) => contentsOf(files)),
		/** In pieces of an odd length, as a network brings them. */
		unpack: (bytes: Uint8Array, path = "/workspace/in", pieceBytes = 1_000) =>
			importArchive(workspace, contextOf(), { path, body: pieces(bytes, pieceBytes) }),
	};
}

async function* pieces(bytes: Uint8Array, length: number) {
	for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
