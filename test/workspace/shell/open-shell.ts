import type { GatedFetch } from "../../../src/gates/gated-fetch";
import type { FileSystem } from "../../../src/workspace/file-system";
import { guarded } from "../../../src/workspace/guarded";
import { runShell, type ShellOptions, type ShellReply } from "../../../src/workspace/shell/run-shell";
import { tree } from "../../fixtures/shell/tree";
import { noProgram } from "../../support/no-runner";
import { memoryWorkspace } from "../../support/node/workspace";
import { describeDirectory, describeFile, describeLink, type Tree } from "./outcome";

export interface OpenShell {
	/** Not guarded. */
	readonly files: FileSystem;
	run(command: string, over?: Partial<ShellOptions> & { cwd?: string; timeoutMs?: number }): Promise<ShellReply>;
	/** What is in `/workspace`. */
	tree(): Tree;
}

const noFetch: GatedFetch = () => Promise.reject(new Error("A test's command line reached for the network."));

/** A shell over the real file system, in memory, with the files of the table in `/workspace`. */
export function openShell(listed: readonly string[], entries: readonly string[] = []): OpenShell {
	const { files } = memoryWorkspace();
	lay(files);
	const rules = { root: "/workspace", entries, memoryAcl: false, mayWriteProtected: false };
	return {
		files,
		tree: () => treeOf(files),
		run: (command, { cwd, timeoutMs = 10_000, ...over } = {}) =>
			runShell({
				files: guarded(files, rules),
				call: { command, cwd, timeoutMs },
				listed,
				home: "/workspace",
				interpreters: "supervised",
				runProgram: noProgram,
				fetch: noFetch,
				signal: new AbortController().signal,
				beforeEffect: async () => {},
				read: async (run) => run(),
				...over,
			}),
	};
}

function lay(files: FileSystem): void {
	for (const [name, entry] of Object.entries(tree)) {
		const path = `/workspace/${name}`;
		files.makeDirectory(path.slice(0, path.lastIndexOf("/")), { parents: true });
		if (typeof entry === "string") files.write(path, new TextEncoder().encode(entry));
		else if ("link" in entry) files.symlink(entry.link, path);
		else files.write(path, new TextEncoder().encode(entry.text), { mode: entry.mode });
	}
}

function treeOf(files: FileSystem): Tree {
	const found: Record<string, string> = {};
	for (const { path, stat } of files.walk("/workspace")) {
		if (path === "/workspace") continue;
		const name = path.slice("/workspace/".length);
		if (stat.kind === "directory") found[name] = describeDirectory(stat.mode);
		else if (stat.kind === "symlink") found[name] = describeLink(files.readLink(path));
		else found[name] = describeFile(stat.mode, files.read(path));
	}
	return found;
}
