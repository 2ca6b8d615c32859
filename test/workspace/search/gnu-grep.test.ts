import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grepFiles } from "../../../src/workspace/search/grep-files";
import { showMatches } from "../../../src/workspace/search/show-matches";
import { toEnd } from "../../support/to-end";
import { treeOf } from "./tree";

type Files = Readonly<Record<string, string>>;
interface Search {
	readonly pattern: string;
	readonly ignoreCase: boolean;
	readonly contextLines: number;
}

const isGnu = spawnSync("grep", ["--version"], { encoding: "utf8" }).stdout?.includes("GNU grep") ?? false;

/** What `grep -rnE` says of the same files, blocks of one file together, files sorted. */
function gnuGrep(files: Files, { pattern, ignoreCase, contextLines }: Search): string[] {
	const folder = mkdtempSync(path.join(tmpdir(), "oryx-grep-"));
	try {
		for (const [name, text] of Object.entries(files)) {
			mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
			writeFileSync(path.join(folder, name), text);
		}
		const options = [`-rnE${ignoreCase ? "i" : ""}`, ...(contextLines > 0 ? ["-C", String(contextLines)] : [])];
		const { stdout, stderr } = spawnSync("grep", [...options, "-e", pattern, "--", "."], {
			cwd: folder,
			encoding: "utf8",
			env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
		});
		expect(stderr).toBe("");
		return stdout
			.split("\n")
			.filter((line) => line !== "" && line !== "--")
			.toSorted();
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function ourGrep(files: Files, search: Search): string[] {
	const tree = treeOf(Object.fromEntries(Object.entries(files).map(([name, text]) => [`/workspace/${name}`, text])));
	const text = showMatches(toEnd(grepFiles(tree, { ...search, path: "/workspace", limit: 10_000 })));
	return text
		.replaceAll(/^\/workspace/gm, ".")
		.split("\n")
		.filter((line) => line !== "" && line !== "--")
		.toSorted();
}

describe.runIf(isGnu)("grep", () => {
	it("finds what GNU grep finds", () => {
		const name = fc.constantFrom("a", "b.ts", "c/d", "c/.e", "f g");
		const line = fc.string({ unit: fc.constantFrom("a", "b", "A", "é", "É", "1", "_", " ", "-", "\t"), maxLength: 8 });
		const text = fc
			.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("", "\n"))
			.map(([lines, end]) => lines.join("\n") + end);
		const atom = fc.constantFrom(
			"a",
			"b",
			"ab",
			"é",
			"1",
			" ",
			".",
			"[ab]",
			"[^a]",
			"[a-c1-3]",
			"(a|b)",
			"(ab|é)",
			"[[:digit:]]",
			"\\.",
		);
		const part = fc
			.tuple(atom, fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,3}"))
			.map(([what, times]) => what + times);
		const branch = fc
			.tuple(fc.constantFrom("", "", "^"), fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "", "$"))
			.map(([begin, parts, end]) => begin + parts.join("") + end);
		const pattern = fc.array(branch, { minLength: 1, maxLength: 2 }).map((branches) => branches.join("|"));
		const search = fc.record({ pattern, ignoreCase: fc.boolean(), contextLines: fc.constantFrom(0, 0, 1, 2) });
		fc.assert(
			fc.property(fc.dictionary(name, text, { maxKeys: 4, noNullPrototype: true }), search, (files, wanted) => {
				expect(ourGrep(files, wanted)).toEqual(gnuGrep(files, wanted));
			}),
			{ numRuns: 400 },
		);
	}, 60_000);
});
