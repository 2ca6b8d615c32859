import { type FileAccess, fileRules } from "../../src/gates/file";
import { judgeTouches, type Lists, type Touch } from "../../src/gates/touches";
import { settingsDocument } from "../../src/shared/settings";
import type { FileSystem } from "../../src/workspace/file-system";
import { guarded, resolveAsked } from "../../src/workspace/guarded";
import { refusalOf } from "../../src/workspace/refusal";
import { contentsOf, openFiles, plant } from "../support/node/open-files";
import { type HostilePath, inOurTree, root } from "./hostile-path";

export interface Outcome {
	readonly decision: string;
	readonly reason: string;
	/** What the gate said before anything was looked at: `ok` where only the links tell. */
	readonly declared: string;
	readonly hasChanged: boolean;
	/** Whether bytes from outside the root came back. */
	readonly leaked: boolean;
}

const secret = "the neighbour's secret";

/** Runs one case against the path gate in front of our own file system. */
export function judgeHostilePath({ tool, input, config }: HostilePath): Outcome {
	const files = openHostileTree();
	const settings = settingsDocument.parse({ files: { root }, memory: { aclEnabled: config.memory?.acl ?? false } });
	const lists: Lists = { whitelist: { FILE: [], SHELL: ["ls"], HTTP: [] }, settings, allowLoopback: false };
	const rules = fileRules(lists);
	const use = uses[tool];
	if (!use) throw new Error(`No case may use ${tool}.`);
	const asked = { path: inOurTree(input.path ?? input.cwd ?? ""), to: inOurTree(input.to ?? "") };
	const declared = judgeTouches(use.touches(asked), lists)?.reason ?? "ok";
	const before = contentsOf(files);
	let answer = "";
	let verdict = { decision: "allow", reason: "ok" };
	try {
		answer = use.run(guarded(files, rules), (raw) => resolveAsked(raw, rules), asked) ?? "";
	} catch (error) {
		const refusal = refusalOf(error);
		if (!refusal) throw error;
		verdict = { decision: refusal.gate ? "deny" : "error", reason: refusal.reason };
	}
	const hasChanged = JSON.stringify(contentsOf(files)) !== JSON.stringify(before);
	return { ...verdict, declared, hasChanged, leaked: answer.includes(secret) };
}

interface Asked {
	readonly path: string;
	readonly to: string;
}

interface FileUse {
	touches(asked: Asked): Touch[];
	run(files: FileSystem, resolve: (raw: string) => string, asked: Asked): string | undefined;
}

const one = (mode: FileAccess, run: (files: FileSystem, path: string) => string | undefined): FileUse => ({
	touches: ({ path }) => [{ file: path, mode }],
	run: (files, resolve, { path }) => run(files, resolve(path)),
});
const two = (mode: FileAccess, run: (files: FileSystem, path: string, to: string) => void): FileUse => ({
	touches: ({ path, to }) => [
		{ file: path, mode },
		{ file: to, mode: "write" },
	],
	run: (files, resolve, { path, to }) => void run(files, resolve(path), resolve(to)),
});
const names = (files: FileSystem, path: string) =>
	files
		.readDirectory(path)
		.map(({ name }) => name)
		.join();

/** What each tool of the corpus does to files in the end. */
const uses: Readonly<Record<string, FileUse>> = {
	read_file: one("read", (files, path) => new TextDecoder().decode(files.read(path))),
	list_dir: one("read", names),
	shell: one("read", names),
	write_file: one("write", (files, path) => void files.write(path, new TextEncoder().encode("new"))),
	make_dir: one("make_directory", (files, path) => void files.makeDirectory(path, { parents: true })),
	delete_file: one("delete", (files, path) => void files.unlink(path)),
	delete_tree: one("delete", (files, path) => void files.removeTree(path)),
	move_file: two("delete", (files, path, to) => files.rename(path, to)),
	copy_file: two("read", (files, path, to) => files.copyFile(path, to)),
	make_link: {
		touches: ({ path }) => [{ file: path, mode: "place" }],
		run: (files, resolve, { path, to }) => void files.symlink(to, resolve(path)),
	},
};

function openHostileTree(): FileSystem {
	const files = openFiles();
	plant(files, {
		[`${root}/a.txt`]: "a",
		[`${root}/sub/b.txt`]: "b",
		[`${root}/.env`]: "KEY=1",
		[`${root}/.git/config`]: "[core]",
		[`${root}/.git/HEAD`]: "ref: refs/heads/main",
		[`${root}/MEMORY.md`]: "remembered",
		[`${root}/kept/deep/memory.md`]: "remembered",
		"/workspace/oryxos-evil/secret": secret,
		"/workspace/ORYXOS/a.txt": secret,
	});
	const links = {
		ln: "../oryxos-evil",
		ln2: "ln",
		dang: "/nonexistent/x",
		abs: "/workspace/oryxos-evil/secret",
		up: "../..",
		in: "sub",
		loop: "loop",
		gitlink: ".git",
		memlink: "kept/deep/memory.md",
	};
	for (const [name, target] of Object.entries(links)) files.symlink(target, `${root}/${name}`);
	return files;
}
