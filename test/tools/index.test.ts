import { describe, expect, it } from "vitest";
import * as z from "zod";
import { settingsDocument } from "../../src/shared/settings";
import { builtins } from "../../src/tools/index";
import { createRegistry } from "../../src/tools/registry";
import type { Surroundings, Tool } from "../../src/tools/tool";

const named = builtins.map((tool): [string, Tool] => [tool.name, tool]);

describe("the list of built-in tools", () => {
	it("holds the tools of this system and their other faces", () => {
		expect(builtins.map(({ name }) => name).toSorted()).toEqual([
			"current_time",
			"fetch_webpage",
			"http_get",
			"http_post",
			"http_request",
			"json_extract",
			"notify",
			"read_skill",
			"recall_memory",
			"save_memory",
			"web_fetch",
			"web_search",
			"web_search_tool",
		]);
	});

	it("names each tool once, and would not be a registry otherwise", () => {
		expect(createRegistry(builtins).tools).toHaveLength(builtins.length);
		expect(() => createRegistry([...builtins, ...builtins.slice(0, 1)])).toThrow(
			`Two tools are named ${builtins[0]?.name}.`,
		);
	});

	it("has aliases of tools that are there and are no aliases themselves", () => {
		const canonical = new Set(builtins.filter(({ aliasOf }) => !aliasOf).map(({ name }) => name));
		expect(builtins.flatMap(({ aliasOf }) => aliasOf ?? []).filter((name) => !canonical.has(name))).toEqual([]);
	});
});

describe.each(named)("%s", (name, tool) => {
	it("has a name in snake case that every model vendor takes", () => {
		expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
		expect(name.length).toBeLessThanOrEqual(64);
	});

	it("says what it is for, what it does to the world and whether it may be run again", () => {
		expect(tool.description.trim()).toMatch(/^[A-Z].{20,}\.$/su);
		expect(["read", "write", "external"]).toContain(tool.effects);
		expect(typeof tool.idempotent).toBe("boolean");
	});

	it("shows a plain schema in which every argument is explained", () => {
		const schema = z.toJSONSchema(tool.input, { io: "input" });
		expect(schema.type).toBe("object");
		expect(JSON.stringify(schema)).not.toMatch(/"(?:\$ref|\$defs|anyOf|oneOf|allOf|not|propertyNames|const)"/);
		for (const [argument, shape] of Object.entries(schema.properties ?? {})) {
			expect(shape, argument).toMatchObject({ type: expect.any(String), description: expect.stringMatching(/\S{2,}/) });
		}
		expect(schema.required ?? []).toEqual(requiredOf[name] ?? []);
	});

	it("takes arguments it does not know of, and drops them", () => {
		const parsed = tool.input.parse({ ...sample, surprise: true });
		expect(parsed).not.toHaveProperty("surprise");
	});

	it("declares what it reaches", () => {
		const touches = tool.touches(tool.input.parse(sample), around);
		if (tool.effects === "external") expect(touches).not.toEqual([]);
		if (tool.group === "http" || tool.group === "search")
			expect(touches).toMatchObject([{ url: expect.stringMatching(/^https:/) }]);
	});
});

const settings = settingsDocument.parse({ webSearch: { searxngUrl: "https://searx.example" } });
const around: Surroundings = { settings, channels: [], runner: false };

const sample = {
	url: "https://a.example/",
	body: "{}",
	query: "q",
	json: "{}",
	path: "a",
	content: "c",
	keyword: "k",
	name: "n",
};

const requiredOf: Readonly<Record<string, readonly string[]>> = {
	fetch_webpage: ["url"],
	http_get: ["url"],
	http_post: ["url", "body"],
	http_request: ["url"],
	json_extract: ["json", "path"],
	notify: ["content"],
	read_skill: ["name"],
	recall_memory: ["keyword"],
	save_memory: ["content"],
	web_fetch: ["url"],
	web_search: ["query"],
	web_search_tool: ["query"],
};
