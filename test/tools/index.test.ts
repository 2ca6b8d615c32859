import { describe, expect, it } from "vitest";
import * as z from "zod";
import { settingsDocument } from "../../src/shared/settings";
import { builtins } from "../../src/tools/index";
import { createRegistry } from "../../src/tools/registry";
import type { Surroundings, Tool } from "../../src/tools/tool";

const named = builtins.map((tool): [string, Tool] => [tool.name, tool]);

describe("the list of built-in tools", () => {
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
	it("has a name that every model vendor takes, in snake case unless it is another face", () => {
		expect(name).toMatch(tool.aliasOf ? /^[a-z][a-zA-Z0-9_]*$/ : /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
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
	});

	it("takes arguments it does not know of, and drops them", () => {
		// A strict object would say false here, a loose one would keep them.
		expect(z.toJSONSchema(tool.input, { io: "input" }).additionalProperties).toBeUndefined();
	});
});

const reaching = named.filter(
	([, { group, effects }]) => group === "http" || group === "search" || effects === "external",
);

it.each(reaching)("%s declares what it reaches", (_, tool) => {
	const touches = tool.touches(tool.input.parse(sample), around);
	expect(touches).not.toEqual([]);
	if (tool.group !== "notify") expect(touches[0]).toMatchObject({ url: expect.stringMatching(/^https:/) });
});

const settings = settingsDocument.parse({ webSearch: { searxngUrl: "https://searx.example" } });
const around: Surroundings = { settings, channels: [], runner: false, commands: [] };

/** Arguments that fit every tool that reaches something. */
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
