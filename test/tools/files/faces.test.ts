import { describe, expect, it } from "vitest";
import { specOf, toolsFor } from "../../../src/agent/tools-for";
import { builtins } from "../../../src/tools";
import { court } from "../../support/court";
import { workspaceWorld } from "../../support/node/workspace-world";

const texts = { "/workspace/a.txt": "one\n", "/workspace/d/b.txt": "two\n" };

describe("the other faces of the file tools", () => {
	it.each<[string, object, string]>([
		["readFile", { filePath: "/workspace/a.txt" }, "one\n[/workspace/a.txt: 1 line, 4 bytes, whole.]"],
		["file_read", { path: "a.txt" }, "one\n[/workspace/a.txt: 1 line, 4 bytes, whole.]"],
		["writeFile", { filePath: "x/n", content: "1" }, "Created /workspace/x/n: 1 byte."],
		["file_write", { path: "n", content: "1" }, "Created /workspace/n: 1 byte."],
		["editFile", { filePath: "a.txt", diff: "all new" }, "Overwrote /workspace/a.txt: 7 bytes."],
		[
			"file_edit",
			{ path: "a.txt", old_string: "one", new_string: "1" },
			"Edited /workspace/a.txt at line 1: it has 2 bytes now.",
		],
		["deleteFile", { filePath: "a.txt" }, "Deleted the file /workspace/a.txt."],
	])("%s %j", async (name, args, said) => {
		const world = await workspaceWorld({ texts });
		expect(await world.said(name, args)).toBe(said);
	});

	it.each(["listDirectory", "list_directory"])("%s lists three levels deep unless told otherwise", async (name) => {
		const world = await workspaceWorld({ texts: { "/workspace/1/2/3/4/f": "" } });
		const names = async (args: object) => (await world.said(name, args)).match(/[\d/]+\/$/gm);
		expect(await names({ filePath: "." })).toEqual(["1/"]);
		expect(await names({ recursive: true })).toEqual(["1/", "1/2/", "1/2/3/"]);
		expect(await names({ recursive: true, maxDepth: 99 })).toEqual(["1/", "1/2/", "1/2/3/", "1/2/3/4/"]);
	});

	it("editFile makes no file", async () => {
		const world = await workspaceWorld({ texts });
		const before = await world.tree();
		expect(await world.call("editFile", { filePath: "none", diff: "x" })).toMatchObject({ code: "not_found" });
		expect(await world.tree()).toEqual(before);
	});

	it("deleteFile takes an empty directory, and one with something in it only when told", async () => {
		const world = await workspaceWorld({ texts, policy: { tools: { delete_recursive: "allow" } } });
		await world.onFiles((files) => files.makeDirectory("/workspace/empty"));
		expect(await world.call("deleteFile", { filePath: "empty" })).toMatchObject({ success: true });
		const before = await world.tree();
		expect(await world.call("deleteFile", { filePath: "d" })).toMatchObject({ success: false, code: "conflict" });
		expect(await world.tree()).toEqual(before);
		expect(await world.call("deleteFile", { filePath: "d", recursive: true })).toMatchObject({ success: true });
		expect(await world.tree()).toHaveLength(1);
	});

	it.each([
		["readFile", { filePath: "secret.txt" }],
		["file_read", { path: "secret.txt" }],
	])("%s falls under a rule over the arguments of read_file", async (name, args) => {
		const rule = { tool: "read_file", path: "path", pattern: "secret*", action: "deny" as const };
		const world = await workspaceWorld({ texts, policy: { argumentRules: [rule] } });
		expect(await world.call(name, args)).toMatchObject({ code: "argument_denied" });
	});

	it("shows a model one face of each", () => {
		const names = toolsFor(court({ tools: builtins })).map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining(["read_file", "edit_file", "delete_file", "list_dir", "shell"]));
		expect(names.filter((name) => /[A-Z]|^file_|execute/.test(name))).toEqual([]);
		const camel = toolsFor(court({ tools: builtins, profile: { tools: ["readFile"] } }));
		expect(camel.map(({ name }) => name)).toEqual(["readFile"]);
	});

	it("tells a model which commands there are", () => {
		const shell = builtins.find(({ name }) => name === "shell");
		const { around } = court({ whitelist: { SHELL: ["ls", "cat"] } });
		expect(shell && specOf(shell, around).description).toContain("The commands that may be run: ls cat.");
	});
});
