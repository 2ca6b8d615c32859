import { describe, expect, it } from "vitest";
import { listsTool } from "../../src/gates/tool-list";

const lists = (tools: string[], deny_tools: string[] = []) => ({ tools, deny_tools });
const readFile = { name: "readFile", aliasOf: "read_file", aliases: ["read_file", "file_read"] };

describe("listsTool", () => {
	it("lists nothing in an empty profile", () => {
		expect(listsTool(lists([]), { name: "current_time" })).toBe(false);
	});

	it.each([
		["its own name", "readFile"],
		["its canonical name", "read_file"],
		["another alias", "file_read"],
		["a glob", "read*"],
		["everything", "*"],
	])("lists a tool by %s", (_, pattern) => {
		expect(listsTool(lists([pattern]), readFile)).toBe(true);
	});

	it.each(["readfile", "read", "READ_FILE", "read_files", ""])("does not list it by %j", (pattern) => {
		expect(listsTool(lists([pattern]), readFile)).toBe(false);
	});

	it.each(["readFile", "read_file", "file_read", "file*", "*"])("lets deny_tools win, by any name: %s", (pattern) => {
		expect(listsTool(lists(["*", "readFile"], [pattern]), readFile)).toBe(false);
	});

	it("denies no more than what is named", () => {
		expect(listsTool(lists(["*"], ["write_*"]), readFile)).toBe(true);
	});
});
