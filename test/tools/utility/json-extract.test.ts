import { expect, it } from "vitest";
import { jsonExtract } from "../../../src/tools/utility/json-extract";
import { callIn, toolWorld } from "../../support/tool-context";

const world = toolWorld();
const document = { a: { b: [{ c: "deep" }, { c: 7 }], "x.y": true, "": null, 'q"t': 1 }, list: [[1, 2], [3]], n: null };

it.each([
	["a.b[0].c", "deep"],
	["a.b[1].c", "7"],
	["a.b.1.c", "7"],
	["$.a.b[0].c", "deep"],
	['a["x.y"]', "true"],
	["a['x.y']", "true"],
	['["a"].b[1]', '{\n  "c": 7\n}'],
	['a["q\\"t"]', "1"],
	['a[""]', "null"],
	["list[1][0]", "3"],
	["n", "null"],
	["a.b[1]", '{\n  "c": 7\n}'],
])("reads %s", async (path, content) => {
	expect(await callIn(world, jsonExtract, { json: JSON.stringify(document), path })).toEqual({
		success: true,
		content,
	});
	expect(await callIn(world, jsonExtract, { json: document, path })).toEqual({ success: true, content });
});

it("answers the whole document for an empty path", async () => {
	expect(await callIn(world, jsonExtract, { json: "[1]", path: "" })).toEqual({ success: true, content: "[\n  1\n]" });
});

it.each([
	["a.c", "not_found", 'The value at a has no c. Its keys are b, ["x.y"], [""], ["q\\"t"].'],
	["z.y", "not_found", "The document has no z. Its keys are a, list, n."],
	["a.b[2].c", "not_found", "The value at a.b is a list of 2, which has no [2]."],
	["a.b.length", "not_found", "The value at a.b is a list of 2, which has no length."],
	["a.b[0].c.d", "not_found", "The value at a.b[0].c is a string, so the path cannot go on to d."],
	["n.x", "not_found", "The value at n is null, so the path cannot go on to x."],
	["a.toString", "not_found", "has no toString"],
	["a.__proto__", "invalid_arguments", "__proto__ is refused"],
	['a["constructor"]', "invalid_arguments", "constructor is refused"],
	["a..b", "invalid_arguments", 'cannot be read from "..b" on'],
	["a[*]", "invalid_arguments", 'cannot be read from "[*]" on'],
	["a[-1]", "invalid_arguments", 'cannot be read from "[-1]" on'],
	["a[?(@.b)]", "invalid_arguments", "cannot be read"],
	["a[0", "invalid_arguments", "cannot be read"],
	['a["b', "invalid_arguments", "cannot be read"],
	["a.b[0]c", "invalid_arguments", 'cannot be read from "c" on'],
	["a.", "invalid_arguments", "cannot be read"],
	[".a".repeat(100).slice(1), "invalid_arguments", "more than 64 steps"],
])("says where %s ends", async (path, code, message) => {
	const result = await callIn(world, jsonExtract, { json: document, path });
	expect(result).toMatchObject({ success: false, code, retryable: true });
	expect(result).toHaveProperty("errorMessage", expect.stringContaining(message));
});

it.each([
	["{", "no JSON"],
	["", "json"],
	['{"__proto__": {"a": 1}}', "__proto__"],
	["[".repeat(200_000), "deeper than 64"],
])("refuses %.20s as a document", async (json, message) => {
	const result = await callIn(world, jsonExtract, { json, path: "a" });
	expect(result).toMatchObject({ success: false, code: "invalid_arguments", retryable: true });
	expect(result).toHaveProperty("errorMessage", expect.stringContaining(message));
});

it("lists at most twenty keys", async () => {
	const wide = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key${at}`, at]));
	const result = await callIn(world, jsonExtract, { json: wide, path: "absent" });
	expect(result).toHaveProperty("errorMessage", expect.stringMatching(/key19 and 30 more\.$/));
});
