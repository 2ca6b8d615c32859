import { describe, expect, it } from "vitest";
import { workspaceWorld } from "../../support/node/workspace-world";

const edit = async (text: string, args: object) => {
	const world = await workspaceWorld({ texts: { "/workspace/f": text } });
	const result = await world.call("edit_file", { path: "f", ...args });
	return { result, text: await world.text("/workspace/f") };
};

describe("edit_file", () => {
	it.each<[string, string, object, string, string]>([
		["a unique text", "a\nb\nc\n", { old_string: "b", new_string: "B" }, "a\nB\nc\n", "at line 2"],
		["a text by nothing", "abc", { old_string: "b", new_string: "" }, "ac", "at line 1"],
		["every place", "x y x", { old_string: "x", new_string: "xx", replace_all: true }, "xx y xx", "2 times"],
		["overlapping places once", "aaa", { old_string: "aa", new_string: "b", replace_all: true }, "ba", "at line 1"],
		["lines that end in CRLF", "a\r\nb\r\n", { old_string: "a\r\nb", new_string: "c" }, "c\r\n", "at line 1"],
		["what follows a byte order mark", "\ufeffa b", { old_string: "a", new_string: "c" }, "\ufeffc b", "at line 1"],
		["by a text with dollar signs", "a", { old_string: "a", new_string: "$& $1 $$" }, "$& $1 $$", "at line 1"],
		["names in camel case", "a", { oldString: "a", newString: "b" }, "b", "at line 1"],
		["a flag as text", "aa", { old_string: "a", new_string: "b", replace_all: "true" }, "bb", "2 times"],
	])("replaces %s", async (_, before, args, after, said) => {
		const { result, text } = await edit(before, args);
		expect(result).toMatchObject({ success: true, content: expect.stringContaining(said) });
		expect(text).toBe(after);
	});

	it.each<[string, string, object, string, RegExp]>([
		["no match", "abc", { old_string: "x", new_string: "y" }, "conflict", /found 0 times/],
		["two matches", "x x", { old_string: "x", new_string: "y" }, "conflict", /found 2 times/],
		["overlapping matches", "aaa", { old_string: "aa", new_string: "b" }, "conflict", /found 2 times/],
		[
			"other white space",
			"if (a) {\n\t\treturn;\n}",
			{ old_string: "    return;", new_string: "" },
			"conflict",
			/Line 2 differs from its first line in white space only/,
		],
		[
			"other line ends",
			"a\r\nb\r\n",
			{ old_string: "a\nb", new_string: "" },
			"conflict",
			/Line 1 begins like it, but the lines of this file end in CRLF/,
		],
		[
			"another second line",
			"a\nb\n",
			{ old_string: "a\nc", new_string: "" },
			"conflict",
			/Its first line is line 1, but what follows there is different/,
		],
		["an empty old_string", "abc", { old_string: "", new_string: "y" }, "invalid_arguments", /old_string is empty/],
		["equal strings", "abc", { old_string: "a", new_string: "a" }, "invalid_arguments", /the same/],
		["no new_string", "abc", { old_string: "a" }, "invalid_arguments", /new_string/],
	])("changes nothing for %s, and says so", async (_, before, args, code, message) => {
		const { result, text } = await edit(before, args);
		expect(result).toMatchObject({ success: false, code, retryable: true });
		expect(result).toHaveProperty("errorMessage", expect.stringMatching(message));
		expect(text).toBe(before);
	});

	it("changes no file that is missing, binary or too large", async () => {
		const world = await workspaceWorld();
		await world.onFiles((files) => {
			files.write("/workspace/binary", new Uint8Array([0, 1]));
			files.write("/workspace/large", new Uint8Array());
			files.truncate("/workspace/large", 10_000_001);
		});
		const before = await world.tree();
		for (const [path, code] of [
			["none", "not_found"],
			["binary", "invalid_arguments"],
			["large", "too_large"],
			["/workspace", "invalid_arguments"],
		]) {
			const result = await world.call("edit_file", { path, old_string: "a", new_string: "b" });
			expect(result).toMatchObject({ success: false, code });
		}
		expect(await world.tree()).toEqual(before);
	});

	it("changes a file once per call id", async () => {
		const world = await workspaceWorld({ texts: { "/workspace/f": "a" } });
		const args = { path: "f", old_string: "a", new_string: "aa", replace_all: true };
		const first = await world.call("edit_file", args, "same");
		const second = await world.call("edit_file", args, "same");
		expect(second).toMatchObject({ success: true, content: first.success && first.content });
		expect(await world.text("/workspace/f")).toBe("aa");
	});
});
