import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleFiles } from "../../../src/workspace/search/visible-files";
import { hasGit, shownByGit } from "./git";
import { ignoreCases } from "./ignore-cases";
import { treeOf } from "./tree";

const pathsOf = (found: ReturnType<typeof visibleFiles>) => [...found].flatMap((file) => file?.path ?? []);

/** The files of a tree that are shown, sorted as JavaScript sorts. */
function shown(tree: Readonly<Record<string, string>>): string[] {
	const files = treeOf(Object.fromEntries(Object.entries(tree).map(([path, text]) => [`/workspace/${path}`, text])));
	const found = visibleFiles(files, { path: "/workspace", respectIgnore: true });
	return pathsOf(found)
		.map((path) => path.slice("/workspace/".length))
		.toSorted();
}

const recordFile = new URL("../../fixtures/git-shown.json", import.meta.url).pathname;

describe("what .gitignore files hide", () => {
	it.runIf(hasGit)("is recorded from git", async () => {
		const shownByCase = Object.entries(ignoreCases).map(([name, tree]) => [name, shownByGit(tree)]);
		const record = `${JSON.stringify(Object.fromEntries(shownByCase), undefined, "\t")}\n`;
		await expect(record).toMatchFileSnapshot(recordFile);
	});

	it.each(Object.entries(ignoreCases))("is what git hides: %s", (name, tree) => {
		expect(shown(tree)).toEqual(JSON.parse(readFileSync(recordFile, "utf8"))[name]);
	});

	it.runIf(hasGit)(
		"is what git hides in any tree",
		() => {
			const name = fc.constantFrom("a", "b", "ab", ".a");
			const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
			const part = fc.constantFrom(
				"a",
				"b",
				"ab",
				".a",
				"*",
				"**",
				"a*",
				"*b",
				"?",
				"[ab]",
				"[!a]",
				"***",
				"\\a",
				"[a",
				"{a,b}",
			);
			const rule = fc
				.tuple(
					fc.constantFrom("", "", "!"),
					fc.constantFrom("", "", "/"),
					fc.array(part, { minLength: 1, maxLength: 3 }),
					fc.constantFrom("", "", "/"),
				)
				.map(([not, root, parts, end]) => `${not}${root}${parts.join("/")}${end}`);
			const ignoreFile = fc.array(rule, { minLength: 1, maxLength: 4 }).map((rules) => `${rules.join("\n")}\n`);
			const tree = fc.record({
				paths: fc.array(path, { maxLength: 12 }),
				root: ignoreFile,
				below: fc.option(ignoreFile),
			});
			fc.assert(
				fc.property(tree, ({ paths, root, below }) => {
					const files = withoutClashes([".gitignore", ...(below === null ? [] : ["a/.gitignore"]), ...paths]);
					const texts: Record<string, string> = { ".gitignore": root, "a/.gitignore": below ?? "" };
					const written = Object.fromEntries(files.map((file) => [file, texts[file] ?? ""]));
					expect(shown(written)).toEqual(shownByGit(written));
				}),
				{ numRuns: 150 },
			);
		},
		60_000,
	);

	it("leaves out .git of any kind and at any depth, and nothing else that is hidden", () => {
		expect(shown({ ".git/config": "", "sub/.git": "", ".github/a": "", ".gitattributes": "", "a.git/b": "" })).toEqual([
			".gitattributes",
			".github/a",
			"a.git/b",
		]);
	});

	it("obeys the folders above where it begins", () => {
		const files = treeOf({
			"/workspace/.gitignore": "*.log\n/src/gen\n",
			"/workspace/src/a.log": "",
			"/workspace/src/gen/b": "",
			"/workspace/src/c": "",
		});
		const found = pathsOf(visibleFiles(files, { path: "/workspace/src", respectIgnore: true }));
		expect(found).toEqual(["/workspace/src/c"]);
	});

	it("shows everything when it is not asked to obey", () => {
		const files = treeOf({ "/workspace/.gitignore": "*\n", "/workspace/.git/a": "", "/workspace/b": "" });
		const found = pathsOf(visibleFiles(files, { path: "/workspace", respectIgnore: false }));
		expect(found).toEqual(["/workspace/.git/a", "/workspace/.gitignore", "/workspace/b"]);
	});

	it("takes no long time over hostile rules", () => {
		const rules = Array.from({ length: 3_000 }, (_, at) => `**/a*a*a*${at}*b/**/[!c]*`).join("\n");
		const paths = Array.from({ length: 200 }, (_, at) => [`${"a/".repeat(20)}${"a".repeat(60)}${at}`, ""]);
		const started = performance.now();
		expect(shown({ ".gitignore": rules, ...Object.fromEntries(paths) })).toHaveLength(201);
		expect(performance.now() - started).toBeLessThan(3_000);
	});
});

/** No file where another has its folder. */
function withoutClashes(paths: readonly string[]): string[] {
	const kept = new Set<string>();
	const folders = new Set<string>();
	for (const path of paths) {
		const above = path
			.split("/")
			.slice(0, -1)
			.map((_, at, names) => names.slice(0, at + 1).join("/"));
		if (folders.has(path) || above.some((folder) => kept.has(folder))) continue;
		kept.add(path);
		for (const folder of above) folders.add(folder);
	}
	return [...kept];
}
