import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "./source";

/** A package of about 1,000 files, which just-bash brings with it. */
const name = "domino";
const source = path.join(root, "node_modules/@mixmark-io", name);
/** What an upload leaves out of it. */
const controlFiles = [`${name}/.gitmodules`];

/** A real project on the disk, to do there with real programs what is done in a workspace. */
export interface SampleProject {
	/** It lies in here under its name, as it does in the root of a workspace. */
	readonly base: string;
	/** As it is sent, control files and all. */
	readonly archive: Uint8Array<ArrayBuffer>;
	readonly controlFiles: readonly string[];
	/** Runs bash in `base` and answers its output. */
	run(command: string, input?: Uint8Array): string;
	/** The lines of that output. */
	lines(command: string): string[];
	read(file: string): Buffer;
	discard(): void;
}

/** A copy of the project as an upload leaves it. */
export function openProject(): SampleProject {
	const base = mkdtempSync(path.join(tmpdir(), "oryx-project-"));
	cpSync(source, path.join(base, name), { recursive: true, preserveTimestamps: true });
	const archive = new Uint8Array(execFileSync("tar", ["-cz", "-C", base, name]));
	for (const file of controlFiles) rmSync(path.join(base, file));
	const env = { ...process.env, LC_ALL: "C" };
	const run: SampleProject["run"] = (command, input = new Uint8Array()) =>
		execFileSync("bash", ["-c", command], { cwd: base, env, input, encoding: "utf8" });
	return {
		base,
		archive,
		controlFiles,
		run,
		lines: (command) => run(command).split("\n").slice(0, -1),
		read: (file) => readFileSync(path.join(base, file)),
		discard: () => rmSync(base, { recursive: true }),
	};
}

/** What `diff -r` says of a project in a tar and the one on the disk; nothing where they are equal. */
export function differences(tar: Uint8Array, project: SampleProject): string {
	const unpacked = mkdtempSync(path.join(tmpdir(), "oryx-unpacked-"));
	try {
		execFileSync("tar", ["-x", "-C", unpacked], { input: tar });
		return project.run(`diff -r '${unpacked}' . || true`);
	} finally {
		rmSync(unpacked, { recursive: true });
	}
}
