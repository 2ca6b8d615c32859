import type * as z from "zod";
import { Shells } from "../../../src/durable/workspace-shells";
import { programPolicy } from "../../../src/gates/program-policy";
import { createRedactor } from "../../../src/lib/redact";
import type { RunnerPort } from "../../../src/runner/port";
import type { policyDocument } from "../../../src/shared/policy";
import type { ToolResult } from "../../../src/shared/tool-result";
import { textOf } from "../../../src/shared/tool-result";
import type { Whitelist } from "../../../src/shared/whitelist";
import { builtins } from "../../../src/tools";
import { callTool, type Invocation } from "../../../src/tools/call";
import type { Files } from "../../../src/tools/tool";
import type { WorkspaceContext, WriteTarget } from "../../../src/workspace/context";
import type { FileSystem } from "../../../src/workspace/file-system";
import { runOperation } from "../../../src/workspace/operations";
import { putFile } from "../../../src/workspace/put-file";
import { Workspace } from "../../../src/workspace/workspace";
import { court } from "../court";
import { noRunner } from "../no-runner";
import { type Over, toolWorld } from "../tool-context";
import { contentsOf, plant } from "./open-files";
import { SqliteDatabase } from "./sqlite-database";

interface WorldOver extends Over {
	readonly policy?: z.input<typeof policyDocument>;
	readonly whitelist?: Partial<Whitelist>;
	readonly target?: WriteTarget;
	/** Files that are there from the beginning. */
	readonly texts?: Readonly<Record<string, string>>;
	/** The door to the runner; absent where there is none. */
	readonly runner?: RunnerPort;
	readonly allow?: Partial<Pick<WorkspaceContext, "mayWriteProtected">>;
}

/** A workspace over SQLite in memory, and the tools before it as a turn calls them: through every gate, with a record of each call. */
export async function workspaceWorld(over: WorldOver = {}) {
	const artifacts = new Map<string, string>();
	const rows: Invocation[] = [];
	const made = court({ tools: builtins, ...over, hasRunner: over.runner !== undefined });
	const { snapshot } = made;
	const workspace = new Workspace({
		db: new SqliteDatabase(),
		now: () => Date.UTC(2026, 10, 30, 13, 5),
		newId: () => crypto.randomUUID(),
		documents: () => ({
			skills: Object.keys(over.skills ?? {}),
			hasMemory: true,
			skill: async (name) => over.skills?.[name],
			memory: async () => "# Memory\n- likes tea\n",
			artifactIds: async () => [...artifacts.keys()],
			artifact: async (id) => artifacts.get(id),
		}),
		due: () => {},
	});
	const contextOf = (callId: string, more: Partial<WorkspaceContext> = {}): WorkspaceContext => ({
		workspace: "w",
		callId,
		scope: "turn-1",
		target: over.target ?? { mode: "direct" },
		whitelist: snapshot.whitelist,
		settings: snapshot.settings,
		allowLoopback: false,
		...programPolicy(snapshot.policy),
		mayWriteProtected: false,
		documents: { agent: "a", skills: Object.keys(over.skills ?? {}), session: undefined },
		...more,
	});
	const shells = new Shells();
	const filesOf = (callId: string): Files => ({
		perform: (name, input) =>
			runOperation(workspace, contextOf(callId), { name, input, signal: new AbortController().signal }),
		store: (path, body) => putFile(workspace, contextOf(callId), { path, body }),
		shell: (call) =>
			shells.run(workspace, contextOf(callId), {
				call,
				fetcher: () => Promise.reject(new Error("No request was expected.")),
				runner: over.runner ?? noRunner,
				settled: async () => {},
			}),
	});

	/** Looks at the files, or changes them, behind the back of every rule that tools have. */
	async function onFiles<Value>(use: (files: FileSystem) => Value): Promise<Value> {
		const context = contextOf(crypto.randomUUID(), {
			target: { mode: "direct" },
			mayWriteProtected: true,
			whitelist: { ...snapshot.whitelist, FILE: ["/"] },
		});
		const reply = await workspace.change(context, use);
		if (!reply.ok) throw new Error(reply.message);
		return reply.value;
	}

	let calls = 0;
	async function call(name: string, value: object, id = `call-${++calls}`): Promise<ToolResult> {
		const { ctx } = toolWorld(over);
		const keep = async (text: string) => {
			const artifactId = `artifact-${artifacts.size + 1}`;
			artifacts.set(artifactId, text);
			return artifactId;
		};
		return await callTool(
			{
				...made,
				redactor: createRedactor([]),
				now: () => new Date(),
				open: (_call, _tool, signal) => ({ ...ctx, callId: id, signal, files: filesOf(id), artifacts: { keep } }),
				intend: async () => {},
				record: async (row) => void rows.push(row),
				keepArtifact: keep,
			},
			{ id, name, input: { ok: true, value } },
			new AbortController().signal,
		);
	}

	if (over.texts) await onFiles((files) => plant(files, over.texts ?? {}));
	return {
		call,
		onFiles,
		rows,
		artifacts,
		workspace,
		/** What a call says, whether it succeeded or not. */
		said: async (name: string, value: object) => textOf(await call(name, value)),
		text: (path: string) =>
			onFiles((files) => new TextDecoder("utf-8", { ignoreBOM: true, fatal: false }).decode(files.read(path))),
		/** Everything in `/workspace` and `/tmp`, to compare before and after. */
		tree: () => onFiles((files) => contentsOf(files)),
	};
}
