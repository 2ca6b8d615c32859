import { describe, expect, it } from "vitest";
import { type GrepOptions, grepFiles } from "../../../src/workspace/search/grep-files";
import { showMatches } from "../../../src/workspace/search/show-matches";
import { toEnd } from "../../support/to-end";
import { type Tree, treeOf } from "./tree";

const grep = (tree: Tree, options: Omit<GrepOptions, "path"> & { path?: string }) =>
	toEnd(grepFiles(treeOf(tree), { path: "/workspace", ...options }));

const shown = (tree: Tree, options: Omit<GrepOptions, "path"> & { path?: string }) =>
	showMatches(grep(tree, options)).split("\n");

describe("grep", () => {
	it("shows file, line and text, in the order of a walk", () => {
		const tree = { "/workspace/b.ts": "x\nfoo 1\n", "/workspace/a/z.ts": "foo 2\n", "/workspace/a.ts": "no\n\nfoo 3" };
		expect(shown(tree, { pattern: "fo+ \\d" })).toEqual([
			"/workspace/a/z.ts:1:foo 2",
			"/workspace/a.ts:3:foo 3",
			"/workspace/b.ts:2:foo 1",
		]);
	});

	it("searches one file when it is given one", () => {
		const tree = { "/workspace/.git/a": "foo\n", "/workspace/b": "foo\n" };
		expect(shown(tree, { pattern: "foo", path: "/workspace/.git/a" })).toEqual(["/workspace/.git/a:1:foo"]);
	});

	it("searches what include names: a name anywhere, or a path", () => {
		const tree = {
			"/workspace/a.ts": "x",
			"/workspace/src/b.ts": "x",
			"/workspace/src/c.md": "x",
			"/workspace/test/src/d.ts": "x",
		};
		const paths = (include: string) =>
			grep(tree, { pattern: "x", include }).lines.map(({ path }) => path.slice("/workspace/".length));
		expect(paths("*.ts")).toEqual(["a.ts", "src/b.ts", "test/src/d.ts"]);
		expect(paths("*.{md,txt}")).toEqual(["src/c.md"]);
		expect(paths("src/*.ts")).toEqual(["src/b.ts"]);
		expect(paths("./src/**")).toEqual(["src/b.ts", "src/c.md"]);
		expect(paths("**/src/*.ts")).toEqual(["src/b.ts", "test/src/d.ts"]);
	});

	it("passes over symlinks, what .gitignore names, and binary files, which it counts", () => {
		const tree = {
			"/workspace/.gitignore": "*.log\n",
			"/workspace/a.log": "foo",
			"/workspace/link": { link: "a.log" },
			"/workspace/nul": "foo\n\0",
			"/workspace/latin1": Buffer.from("caf\xe9\nfoo \xe9\n", "latin1"),
			"/workspace/replaced": "foo \ufffd\n",
			"/workspace/late": `foo\n${"x".repeat(9_000)}\0`,
		};
		const outcome = grep(tree, { pattern: "foo" });
		expect(showMatches(outcome).split("\n")).toEqual(["/workspace/late:1:foo", "/workspace/replaced:1:foo \ufffd"]);
		expect(outcome).toMatchObject({ binaryFiles: 2, filesSearched: 5 });
		expect(grep(tree, { pattern: "foo", respectIgnore: false }).lines.map(({ path }) => path)).toContain(
			"/workspace/a.log",
		);
	});

	it("shows the lines around a match once, and a break where some are left out", () => {
		const tree = { "/workspace/a": "1\n2\n3 x\n4\n5 x\n6\n7\n8\n9\n10 x", "/workspace/b": "x\n" };
		expect(shown(tree, { pattern: "x", contextLines: 1 })).toEqual([
			"/workspace/a-2-2",
			"/workspace/a:3:3 x",
			"/workspace/a-4-4",
			"/workspace/a:5:5 x",
			"/workspace/a-6-6",
			"--",
			"/workspace/a-9-9",
			"/workspace/a:10:10 x",
			"--",
			"/workspace/b:1:x",
		]);
	});

	it("counts what is beyond the limit, and stops counting", () => {
		const line = "x\n";
		expect(grep({ "/workspace/a": line.repeat(250) }, { pattern: "x" })).toMatchObject({
			more: 50,
			stopped: undefined,
		});
		const outcome = grep({ "/workspace/a": line.repeat(5_000) }, { pattern: "x", limit: 10, contextLines: 2 });
		expect(outcome).toMatchObject({ more: 1_000, stopped: "matches" });
		expect(outcome.lines).toHaveLength(10);
	});

	it("cuts a long line around its match, and tells one by …", () => {
		const long = `${"a".repeat(3_000)}needle${"b".repeat(3_000)}`;
		const [{ text } = { text: "" }] = grep({ "/workspace/a": `${long}\r\n` }, { pattern: "ne+dle" }).lines;
		expect(text).toMatch(/^…a{100}needleb{394}…$/);
	});

	it("never cuts a character in two", () => {
		const long = `${"😀".repeat(1_001)}x${"😀".repeat(1_000)}`;
		const [{ text } = { text: "" }] = grep({ "/workspace/a": long }, { pattern: "x" }).lines;
		expect(text).toMatch(/^…(😀)+x(😀)+…$/u);
	});

	it("takes a CR before a line's end for a part of the line, as grep does, and does not show it", () => {
		const tree = { "/workspace/a": "foo\r\nbar\r\n" };
		expect(shown(tree, { pattern: "foo" })).toEqual(["/workspace/a:1:foo"]);
		expect(shown(tree, { pattern: "bar\\r$" })).toEqual(["/workspace/a:2:bar"]);
		expect(grep(tree, { pattern: "foo$" }).lines).toEqual([]);
	});

	it("finds every line by an empty pattern, and none in an empty file", () => {
		expect(shown({ "/workspace/a": "", "/workspace/b": "\nx" }, { pattern: "" })).toEqual([
			"/workspace/b:1:",
			"/workspace/b:2:x",
		]);
	});

	it("takes a pattern that looks like an option for text", () => {
		expect(shown({ "/workspace/a": "rg --pre=sh\n" }, { pattern: "--pre=sh" })).toEqual(["/workspace/a:1:rg --pre=sh"]);
	});

	it("runs a pattern that takes others exponential time", () => {
		const started = performance.now();
		expect(grep({ "/workspace/a": `${"a".repeat(26)}!` }, { pattern: "^(a+)+$" }).lines).toEqual([]);
		expect(performance.now() - started).toBeLessThan(500);
	});

	it("refuses a pattern that is too large before it reads anything", () => {
		for (const pattern of ["(a{1000}){1000}", "(".repeat(100_000)])
			expect(() => toEnd(grepFiles(treeOf({}), { pattern, path: "/missing" }))).toThrow(
				expect.objectContaining({ reason: "pattern_too_large" }),
			);
	});

	it("says that there is no such path", () => {
		expect(() => grep({}, { pattern: "x", path: "/missing" })).toThrow(expect.objectContaining({ code: "ENOENT" }));
	});
});

describe("grep over large files", () => {
	const mebibyte = 1_048_576;
	const longest = 65_536;

	it("numbers lines and shows their surroundings over the borders of what it reads at once", () => {
		const lines = Array.from({ length: 60_000 }, (_, at) => `line number ${at + 1} of many`);
		const tree = { "/workspace/a": lines.join("\n") };
		for (const line of [1, 2_450, 20_000, 59_999, 60_000])
			expect(grep(tree, { pattern: `number ${line} of`, contextLines: 3 }).lines).toEqual(
				[-3, -2, -1, 0, 1, 2, 3]
					.map((step) => line + step)
					.filter((near) => near >= 1 && near <= 60_000)
					.map((near) => ({
						path: "/workspace/a",
						line: near,
						text: `line number ${near} of many`,
						isMatch: near === line,
					})),
			);
	});

	it("searches a line of many megabytes to its end, in parts, and says so", () => {
		const before = `first\n${"é".repeat(2.5 * mebibyte)}`;
		const tree = { "/workspace/a": `${before}needle${"x".repeat(100)}needle\nlast needle\n` };
		const { lines, longLines } = grep(tree, { pattern: "ne+dle" });
		expect(lines.map(({ line }) => line)).toEqual([2, 3]);
		expect(lines[0]?.text).toMatch(/^…é+needle/);
		expect(longLines).toBe(1);
	});

	it("finds a literal on every border of the parts", () => {
		for (let shift = -20; shift <= 4; shift += 3) {
			const tree = { "/workspace/a": `${"x".repeat(longest + shift)}needle-in-a-haystack${"x".repeat(longest)}` };
			expect(grep(tree, { pattern: "needle-in-a-haystack" }).lines).toHaveLength(1);
		}
	});

	it("lets others in every so often", () => {
		const tree = { "/workspace/a": "some text without it\n".repeat(1_000_000) };
		const steps = grepFiles(treeOf(tree), { pattern: "[0-9]{2}x?", path: "/workspace" });
		const slices = slicesOf(steps);
		expect([slices > 2, slices < 20]).toEqual([true, true]);
	});

	it("lets others in where many files are passed over", () => {
		const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`/workspace/${at}.log`, "x"]));
		expect(slicesOf(grepFiles(treeOf(many), { pattern: "x", include: "*.ts", path: "/workspace" }))).toBeGreaterThan(1);
	});

	it("lets others in soon where pattern and text are made to be slow", () => {
		let state = 1;
		const noise = Buffer.from(
			Array.from({ length: 262_144 }, () => {
				state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
				return (state >>> 16) % 80 === 0 ? 0x0a : 0x61 + ((state >>> 20) & 1);
			}),
		);
		const steps = grepFiles(treeOf({ "/workspace/a": noise }), { pattern: "a[ab]{20}[cd]", path: "/workspace" });
		expect(slicesOf(steps)).toBeGreaterThan(10);
	});

	it("gives up a search of too many bytes, and says so", () => {
		const large = Buffer.alloc(10 * mebibyte, "ab cd\n");
		const tree = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`/workspace/${at}`, large]));
		expect(grep(tree, { pattern: "nowhere-at-all" })).toMatchObject({ stopped: "bytes" });
	});
});

function slicesOf(steps: Generator): number {
	let slices = 0;
	while (!steps.next().done) slices++;
	return slices;
}
