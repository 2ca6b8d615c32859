import { execFileSync, spawnSync } from "node:child_process";
import {
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { environmentOf } from "../../../src/workspace/shell/environment";
import { tree } from "../../fixtures/shell/tree";
import { changesBetween, describeDirectory, describeFile, describeLink, type LineOutcome, type Tree } from "./outcome";

/** Whether the machine has the bash and the tools that the recorded outcomes come from. */
export function hasBash52(): boolean {
	try {
		const version = execFileSync("/bin/bash", ["--version"], { encoding: "utf8" });
		const release = readFileSync("/etc/debian_version", "utf8");
		return version.includes("version 5.2.") && release.startsWith("12");
	} catch {
		return false;
	}
}

/** Runs a line in the real bash, in a folder of its own with the files of the table, under the environment of our shell. */
export function runInBash(line: string): LineOutcome {
	const home = mkdtempSync(path.join(tmpdir(), "bash-lines-"));
	try {
		lay(home);
		const before = treeAt(home);
		const { stdout, status } = spawnSync("/bin/bash", ["--norc", "--noprofile", "-c", line], {
			cwd: home,
			env: { ...environmentOf(home), TMPDIR: home },
			input: "",
			encoding: "utf8",
			timeout: 10_000,
		});
		const shown = (text: string) => text.replaceAll(home, "/workspace");
		const changes = changesBetween(before, treeAt(home));
		return {
			stdout: shown(stdout),
			exitCode: status ?? -1,
			changes: Object.fromEntries(Object.entries(changes).map(([file, state]) => [file, shown(state)])),
		};
	} finally {
		rmSync(home, { recursive: true });
	}
}

function lay(home: string): void {
	for (const [name, entry] of Object.entries(tree)) {
		const place = path.join(home, name);
		mkdirSync(path.dirname(place), { recursive: true, mode: 0o755 });
		if (typeof entry === "string") writeFileSync(place, entry, { mode: 0o644 });
		else if ("link" in entry) symlinkSync(entry.link, place);
		else writeFileSync(place, entry.text, { mode: entry.mode });
	}
}

function treeAt(folder: string, below = ""): Tree {
	const found: Record<string, string> = {};
	for (const name of readdirSync(path.join(folder, below))) {
		const file = path.posix.join(below, name);
		const place = path.join(folder, file);
		const stat = lstatSync(place);
		if (stat.isSymbolicLink()) found[file] = describeLink(readlinkSync(place));
		else if (stat.isDirectory()) Object.assign(found, { [file]: describeDirectory(stat.mode) }, treeAt(folder, file));
		else found[file] = describeFile(stat.mode, readFileSync(place));
	}
	return found;
}
