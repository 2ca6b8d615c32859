import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { globToPattern, parseGlob } from "../../../src/workspace/search/glob-to-pattern";

const fits = (glob: string, path: string) => RE2JS.compile(globToPattern(glob), RE2JS.DOTALL).testExact(path);

const cases: readonly (readonly [glob: string, yes: readonly string[], no: readonly string[]])[] = [
	["*.ts", ["a.ts", ".ts", ".hidden.ts", "a\nb.ts"], ["src/a.ts", "a.tsx", "a.TS", ""]],
	["a?c", ["abc", "aéc", "a😀c"], ["ac", "abbc", "a/c"]],
	["**", ["a", "a/b/c", ".git/x"], []],
	["**/*.ts", ["a.ts", "x/a.ts", "x/y/.z/a.ts"], ["a.tsx", "x/a.tsx"]],
	["src/**", ["src/a", "src/a/b"], ["src", "srca", "x/src/a"]],
	[
		"src/**/test/*.ts",
		["src/test/a.ts", "src/x/test/a.ts", "src/x/y/test/a.ts"],
		["src/xtest/a.ts", "src/test/x/a.ts"],
	],
	["a**b", ["ab", "axxb"], ["ax/b", "a/b"]],
	["a/***/b", ["a/b", "a/x/y/b"], ["a/xb"]],
	["[abc].md", ["a.md", "c.md"], ["d.md", "[abc].md", "A.md"]],
	["[!a-c].md", ["d.md", "é.md"], ["a.md", "b.md", "/.md"]],
	["[^a-c].md", ["d.md"], ["a.md"]],
	["[]x]", ["]", "x"], ["[]x]"]],
	["[!]x]", ["a"], ["]", "x"]],
	["[a-]", ["a", "-"], ["b"]],
	["[a\\]b]", ["]", "a", "b"], ["\\"]],
	["[z-a]", ["z"], ["a", "-", "m"]],
	["a[+-9]b", ["a,b", "a0b", "a.b"], ["a/b"]],
	["a[/]b", [], ["a/b"]],
	["[[:digit:][:upper:]_]", ["3", "Q", "_"], ["q", ":"]],
	["[[:punct:]]", ["!", "~"], ["/", "a"]],
	["[a[:]", ["a", "[", ":"], ["b"]],
	["{a,b}.{ts,md}", ["a.ts", "b.md"], ["c.ts", "a", "{a,b}.ts"]],
	["{src/**,test}/x.ts", ["src/x.ts", "src/a/b/x.ts", "test/x.ts"], ["test/a/x.ts"]],
	["a{b,{c,d}e,}f", ["abf", "acef", "adef", "af"], ["acf", "aef"]],
	["{a}", ["{a}"], ["a"]],
	["{a,b", ["{a,b"], ["a"]],
	["{a,{b,c}", ["{a,b", "{a,c"], ["a"]],
	["a\\{b,c\\}", ["a{b,c}"], ["ab"]],
	["\\*\\?\\[", ["*?["], ["abc"]],
	["a+(b)|c.$^", ["a+(b)|c.$^"], ["aab"]],
	["--pre=sh", ["--pre=sh"], []],
	["", [""], ["a"]],
];

describe("a glob", () => {
	it.each(cases)("%s fits what it says and nothing else", (glob, yes, no) => {
		expect([...yes, ...no].filter((path) => fits(glob, path))).toEqual(yes);
	});

	it.each(["[abc", "a[", "[]", "[!]", "[a-", "a\\", "[[:nope:]]"])(
		"refuses %s, which stands open or means nothing",
		(glob) => {
			expect(() => globToPattern(glob)).toThrow(expect.objectContaining({ reason: "pattern_unsupported" }));
		},
	);

	it.each([
		["of more than 1 KiB", "é".repeat(513)],
		["whose braces stand for more than 100 globs", "{a,b}".repeat(7)],
		["whose braces stand for thousands of megabytes", "{a,b}".repeat(200)],
		["whose braces nest that much", `${"{a,".repeat(250)}${"}".repeat(250)}`],
		["whose braces stand for too much text", `${"{a,b,c,d}".repeat(3)}${"x".repeat(900)}`],
	])("refuses one %s", (_, glob) => {
		expect(() => globToPattern(glob)).toThrow(expect.objectContaining({ reason: "pattern_too_large" }));
	});

	it("takes linear time for a pattern that backtracking engines choke on", () => {
		const { matches } = parseGlob("*a".repeat(200));
		const started = performance.now();
		expect(matches(`${"a".repeat(4_000)}b`)).toBe(false);
		expect(performance.now() - started).toBeLessThan(1_000);
	});

	it.each([
		["*.ts", "", 1],
		["src/*.ts", "src", 1],
		["src/a/b.ts", "src/a", 1],
		["src/*/x/*.ts", "src", 3],
		["src/**/*.ts", "src", Number.POSITIVE_INFINITY],
		["src/{a,b}/*.ts", "src", 2],
		["{src/a,src/b}/*.ts", "src", 2],
		["{src,test}/*.ts", "", 2],
		["/workspace/src/*.ts", "/workspace/src", 1],
		["/*.ts", "/", 1],
		["../lib/*.ts", "../lib", 1],
		["a\\*/b", "", 2],
	])("%s begins in the folder %j and goes %d deep", (glob, folder, depth) => {
		expect(parseGlob(glob)).toMatchObject({ folder, depth });
	});
});
