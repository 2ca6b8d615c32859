import { beforeAll, describe, expect, it } from "vitest";
import { workspaceWorld } from "../../support/node/workspace-world";

const texts = {
	"/workspace/.gitignore": "dist/\n",
	"/workspace/README.md": "# Read me\nhello world\n",
	"/workspace/dist/out.js": "hello built\n",
	"/workspace/src/a.ts": "const hello = 1;\nconst other = 2;\nHELLO\n",
	"/workspace/src/deep/b.ts": "export {};\n",
};

let world: Awaited<ReturnType<typeof workspaceWorld>>;

beforeAll(async () => {
	world = await workspaceWorld({ texts });
	await world.onFiles((files) => {
		files.symlink("src/a.ts", "/workspace/link");
		files.write("/workspace/binary", new Uint8Array([0x68, 0x65, 0x6c, 0x6c, 0x6f, 0]));
		files.makeDirectory("/workspace/empty");
	});
});

/** Lines without the time, which tests of the file system know. */
const untimed = (text: string) => text.replaceAll(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}/gm, "");

describe("list_dir", () => {
	it("lists the workspace when no path is said", async () => {
		expect(untimed(await world.said("list_dir", {}))).toBe(
			[
				"/workspace:",
				"        6  .gitignore",
				"       22  README.md",
				"        6  binary",
				"        -  dist/",
				"        -  empty/",
				"        8  link -> src/a.ts",
				"        -  src/",
			].join("\n"),
		);
	});

	it("lists as deep as is asked", async () => {
		expect(untimed(await world.said("list_dir", { path: "src", recursive: true }))).toBe(
			["/workspace/src:", "       40  a.ts", "        -  deep/", "       11  deep/b.ts"].join("\n"),
		);
		expect(untimed(await world.said("list_dir", { path: "src", recursive: true, max_depth: 1 }))).toBe(
			["/workspace/src:", "       40  a.ts", "        -  deep/"].join("\n"),
		);
	});

	it("says where a recursive listing has not looked", async () => {
		const deep = await workspaceWorld({ texts: { "/workspace/a/b/c/d.ts": "", "/workspace/e/f/g.ts": "" } });
		expect(await deep.said("list_dir", { recursive: true })).toMatch(
			/c\/\n.*\n\[Not looked into: 1 directory at level 3\. List one of them, or ask for more levels\.\]$/s,
		);
		expect(await deep.said("list_dir", { recursive: true, max_depth: 2 })).toContain("2 directories at level 2.");
		expect(await deep.said("list_dir", { recursive: true, max_depth: 4 })).not.toContain("Not looked into");
	});

	it("says that a directory is empty", async () => {
		expect(await world.said("list_dir", { path: "empty" })).toBe("[/workspace/empty is empty.]");
	});

	it("lists what stands beside the workspace", async () => {
		expect(untimed(await world.said("list_dir", { path: "/" }))).toMatch(
			/artifacts\/\n.*memory\/\n.*skills\/\n.*tmp\/\n.*workspace\//,
		);
	});

	it.each([
		[520, "20"],
		[1_499, "999"],
		[1_600, "At least 1000"],
	])("shows 500 of %i entries and counts the rest", async (count, told) => {
		const many = await workspaceWorld();
		await many.onFiles((files) => {
			for (let at = 0; at < count; at++) files.makeDirectory(`/workspace/d${at}`);
		});
		const listing = await many.said("list_dir", { path: "." });
		expect(listing.split("\n")).toHaveLength(502);
		expect(listing.split("\n").at(-1)).toContain(`[${told} more entries are not shown.`);
	});

	it.each([
		["README.md", "invalid_arguments", "is a file"],
		["none", "not_found", "none"],
		["/etc", "not_listed", "FILE list"],
	])("refuses %s", async (path, code, message) => {
		const result = await world.call("list_dir", { path });
		expect(result).toMatchObject({ success: false, code });
		expect(result).toHaveProperty("errorMessage", expect.stringContaining(message));
	});
});

describe("glob", () => {
	it.each<[object, string]>([
		[{ pattern: "**/*.ts" }, "src/a.ts\nsrc/deep/b.ts"],
		[{ pattern: "*.ts", path: "src" }, "src/a.ts"],
		[{ pattern: "**/*.js" }, "No file fits **/*.js."],
		[{ pattern: "*.ts" }, "No file fits *.ts in the directory itself. **/*.ts looks below it too."],
		[{ pattern: "**/*.js", respect_gitignore: false }, "dist/out.js"],
	])("answers %j", async (args, paths) => {
		expect(await world.said("glob", args)).toBe(paths);
	});

	it("shows 200 paths and counts the rest", async () => {
		const many = await workspaceWorld();
		await many.onFiles((files) => {
			for (let at = 0; at < 230; at++) files.write(`/workspace/f${at}`, new Uint8Array());
		});
		const found = await many.said("glob", { pattern: "f*" });
		expect(found.split("\n")).toHaveLength(201);
		expect(found).toMatch(/\[30 more fit\. Narrow/);
	});

	it.each([
		[{ pattern: "x".repeat(2_000) }, "invalid_arguments"],
		[{ pattern: "*", path: "README.md" }, "invalid_arguments"],
		[{ pattern: "*", path: "../../etc" }, "not_listed"],
		[{ pattern: "" }, "invalid_arguments"],
	])("refuses %#", async (args, code) => {
		expect(await world.call("glob", args)).toMatchObject({ success: false, code });
	});
});

describe("grep", () => {
	it.each<[object, string]>([
		[{ pattern: "hello" }, "README.md:2:hello world\nsrc/a.ts:1:const hello = 1;\n[1 binary file was left out.]"],
		[{ pattern: "hello", path: "src", ignore_case: true }, "src/a.ts:1:const hello = 1;\nsrc/a.ts:3:HELLO"],
		[{ pattern: "hello", include: "*.md" }, "README.md:2:hello world"],
		[{ pattern: "HELLO", path: "src/a.ts", context_lines: 1 }, "src/a.ts-2-const other = 2;\nsrc/a.ts:3:HELLO"],
		[{ pattern: "= 1;", literal: "true", path: "src" }, "src/a.ts:1:const hello = 1;"],
		[{ pattern: "--pre=sh", path: "src" }, "[No line matches --pre=sh: 2 files searched.]"],
		[{ pattern: "built", path: "dist", respect_gitignore: false }, "dist/out.js:1:hello built"],
	])("answers %j", async (args, found) => {
		expect(await world.said("grep", args)).toBe(found);
	});

	it("says how a text that is no pattern is looked for", async () => {
		expect(await world.call("grep", { pattern: "f(" })).toHaveProperty(
			"errorMessage",
			expect.stringMatching(/missing closing \): `f\(`\. To look for it as plain text, set literal to true\.$/),
		);
	});

	it("shows 200 lines and counts the rest", async () => {
		const many = await workspaceWorld({ texts: { "/workspace/f": "x\n".repeat(250) } });
		const found = await many.said("grep", { pattern: "x" });
		expect(found.split("\n")).toHaveLength(201);
		expect(found).toMatch(/\[50 more lines match\. Narrow/);
	});

	it.each([
		[{ pattern: "(" }, "invalid_arguments"],
		[{ pattern: "(a{1000}){1000}" }, "invalid_arguments"],
		[{ pattern: "(".repeat(100_000) }, "invalid_arguments"],
		[{ pattern: "x", path: "none" }, "not_found"],
		[{ pattern: "x", path: "/etc/passwd" }, "not_listed"],
	])("refuses %#", async (args, code) => {
		expect(await world.call("grep", args)).toMatchObject({ success: false, code });
	});
});
