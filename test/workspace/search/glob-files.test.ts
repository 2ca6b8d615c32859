import { describe, expect, it } from "vitest";
import { type GlobOptions, globFiles } from "../../../src/workspace/search/glob-files";
import { toEnd } from "../../support/to-end";
import { type Tree, treeOf } from "./tree";

const tree: Tree = {
	"/workspace/.github/ci.yml": "",
	"/workspace/.gitignore": "dist/\n",
	"/workspace/.git/config": "",
	"/workspace/a-b/x.ts": "",
	"/workspace/a/x.ts": "",
	"/workspace/a.ts": "",
	"/workspace/dist/out.ts": "",
	"/workspace/é.ts": "",
	"/workspace/link.ts": { link: "a.ts" },
	"/workspace/src/deep/er/y.ts": "",
	"/workspace/src/linked": { link: "../a" },
	"/workspace/src/y.tsx": "",
	"/tmp/z.ts": "",
};

const glob = (options: Omit<GlobOptions, "path"> & { path?: string }) =>
	toEnd(globFiles(treeOf(tree), { path: "/workspace", ...options }));

describe("glob", () => {
	it("lists files and links in the order of a walk, follows no link, and leaves out what is ignored", () => {
		expect(glob({ pattern: "**" }).paths).toEqual([
			"/workspace/.github/ci.yml",
			"/workspace/.gitignore",
			"/workspace/a/x.ts",
			"/workspace/a-b/x.ts",
			"/workspace/a.ts",
			"/workspace/link.ts",
			"/workspace/src/deep/er/y.ts",
			"/workspace/src/linked",
			"/workspace/src/y.tsx",
			"/workspace/é.ts",
		]);
	});

	it.each([
		["*.ts", ["a.ts", "link.ts", "é.ts"]],
		["src/**/*.{ts,tsx}", ["src/deep/er/y.ts", "src/y.tsx"]],
		["./a/../src/*", ["src/linked", "src/y.tsx"]],
		["/workspace/a/*", ["a/x.ts"]],
		["dist/*", ["dist/out.ts"]],
		["missing/*", []],
		["a.ts/*", []],
		["?/x.ts", ["a/x.ts"]],
		[".*/*", [".github/ci.yml"]],
	])("finds what %s names", (pattern, paths) => {
		expect(glob({ pattern }).paths).toEqual(paths.map((path) => `/workspace/${path}`));
	});

	it("goes where an absolute pattern or one with .. leads, which the path gate judges", () => {
		expect(glob({ pattern: "/tmp/*.ts" }).paths).toEqual(["/tmp/z.ts"]);
		expect(glob({ pattern: "../tmp/*.ts" }).paths).toEqual(["/tmp/z.ts"]);
	});

	it("lists what is ignored when asked to", () => {
		expect(glob({ pattern: "{dist,.git}/*", respectIgnore: false }).paths).toEqual([
			"/workspace/.git/config",
			"/workspace/dist/out.ts",
		]);
	});

	it("says how many there are beyond the limit, up to a thousand", () => {
		expect(glob({ pattern: "**", limit: 3 })).toMatchObject({ paths: { length: 3 }, more: 7, stopped: false });
		const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`/workspace/${at}`, ""]));
		expect(toEnd(globFiles(treeOf(many), { pattern: "*", path: "/workspace" }))).toMatchObject({
			more: 1_000,
			stopped: true,
		});
	});

	it("reads no folder that the pattern leaves no way into", () => {
		const files = treeOf(tree);
		const entered: string[] = [];
		const watched = {
			...files,
			walkContent: (path: string, enter = (_: string) => true) =>
				files.walkContent(path, (folder) => {
					const goesIn = enter(folder);
					if (goesIn) entered.push(folder);
					return goesIn;
				}),
		};
		toEnd(globFiles(watched, { pattern: "src/*/er/*.ts", path: "/workspace" }));
		toEnd(globFiles(watched, { pattern: "*.ts", path: "/workspace" }));
		expect(entered).toEqual(["/workspace/src/deep", "/workspace/src/deep/er"]);
	});

	it("lets others in every so often, whether or not much fits", () => {
		const many = Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`/workspace/${at}.log`, ""]));
		const ignored = { ...many, "/workspace/.gitignore": "*.log" };
		for (const [tree, pattern] of [
			[many, "*.log"],
			[many, "*.none"],
			[ignored, "*.log"],
		] as const) {
			const steps = globFiles(treeOf(tree), { pattern, path: "/workspace", limit: 20_000 });
			expect([...steps]).toHaveLength(2);
		}
	});

	it("says that the path is missing or no directory", () => {
		expect(() => glob({ pattern: "*", path: "/missing" })).toThrow(expect.objectContaining({ code: "ENOENT" }));
		expect(() => glob({ pattern: "*", path: "/workspace/a.ts" })).toThrow(expect.objectContaining({ code: "ENOTDIR" }));
	});
});
