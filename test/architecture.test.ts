import path from "node:path";
import { describe, expect, it } from "vitest";
import { builtins as tools } from "../src/tools";
import { createRegistry } from "../src/tools/registry";
import { importsOf, readSources, type SourceFile } from "./support/node/source";

/** Who may import whom inside src; a layer may always import itself. */
const arrows: Readonly<Record<string, readonly string[]>> = {
	shared: [],
	lib: ["shared"],
	gates: ["lib", "shared"],
	db: ["lib", "shared"],
	llm: ["gates", "lib", "shared"],
	notify: ["gates", "lib", "shared"],
	memory: ["gates", "lib", "shared"],
	workspace: ["gates", "lib", "shared"],
	runner: ["lib", "shared"],
	tools: ["gates", "notify", "workspace", "memory", "db", "lib", "shared"],
	agent: ["tools", "llm", "lib", "shared"],
	durable: ["agent", "tools", "llm", "notify", "workspace", "runner", "memory", "gates", "db", "lib", "shared", "env"],
	routes: [
		"app-env",
		"durable",
		"agent",
		"tools",
		"llm",
		"notify",
		"workspace",
		"memory",
		"gates",
		"db",
		"lib",
		"shared",
	],
	env: ["durable"],
	"app-env": ["env", "durable", "agent", "tools", "llm", "db", "lib", "shared"],
	app: ["app-env", "env", "routes", "durable", "agent", "tools", "llm", "notify", "gates", "db", "lib", "shared"],
	index: ["app", "durable", "env"],
};

const layerOf = (file: string) => file.replace(/^src\//, "").replace(/(\/.*|\.ts)$/, "");

/** The file or package that an import leads to, as a path from the root or a bare name. */
const targetOf = (file: string, specifier: string) =>
	specifier.startsWith(".") ? path.posix.join(path.posix.dirname(file), specifier) : specifier;

function againstTheArrows({ path: file, imports }: SourceFile): string[] {
	const layer = layerOf(file);
	return imports
		.map((specifier) => targetOf(file, specifier))
		.filter((target) => {
			if (!target.startsWith("src/"))
				return target.startsWith("..") || /^(test|scripts|bench|runner|cli|web)\//.test(target);
			return layerOf(target) !== layer && !arrows[layer]?.includes(layerOf(target));
		})
		.map((target) => `${file} imports ${target}`);
}

const sources = readSources("src/**/*.ts");
const handWritten = readSources("{src,runner,cli,web,scripts,bench,test}/**/*.ts");
const isRim = (file: string) => /^src\/(app|app-env|env|index)\.ts$|^src\/durable\//.test(file);

describe("the architecture", () => {
	it("has a layer for every file of src", () => {
		expect(sources.length).toBeGreaterThan(20);
		expect(sources.map(({ path: file }) => layerOf(file)).filter((layer) => !arrows[layer])).toEqual([]);
	});

	it("imports only along the arrows", () => {
		expect(sources.flatMap(againstTheArrows)).toEqual([]);
	});

	it("sees every form of import", () => {
		const text = `import type {\n\tA,\n} from "./a";\nexport { b } from "./b";\nimport "./c";\nconst d = await import("./d");\n// import "./e";`;
		expect(importsOf(text)).toEqual(["./a", "./b", "./c", "./d"]);
		expect(againstTheArrows({ path: "src/gates/url.ts", text, imports: ["../tools/tool", "../lib/hash"] })).toEqual([
			"src/gates/url.ts imports src/tools/tool",
		]);
	});

	it("keeps words that processes share free of everything but zod", () => {
		const packages = sources
			.filter(({ path: file }) => layerOf(file) === "shared")
			.flatMap(({ imports }) => imports.filter((specifier) => !specifier.startsWith(".")));
		expect(packages.filter((name) => name !== "zod")).toEqual([]);
	});

	it("reads the environment in app.ts and durable/ only", () => {
		const readers = sources.filter(({ path: file, text, imports }) => {
			if (isRim(file)) return false;
			return imports.includes("cloudflare:workers") || /\b(c|this|ctx)\.env\b/.test(text);
		});
		expect(readers.map(({ path: file }) => file)).toEqual([]);
	});

	it("hands fetch in from the rim, so that no request goes round the gate", () => {
		const takers = sources.filter(({ path: file, text }) => !isRim(file) && /\bglobalThis\.fetch\b/.test(text));
		expect(takers.map(({ path: file }) => file)).toEqual([]);
	});

	it("imports zod as a namespace, which is 360 KB smaller", () => {
		const named = handWritten.filter(({ text }) => /import (type )?(\{[^}]*\}|z)\s*from "zod"/.test(text));
		expect(named.map(({ path: file }) => file)).toEqual([]);
	});

	it("runs a tool in call.ts alone, so that no call goes round the gates and the record", () => {
		const callers = sources.filter(({ text }) => /\btool\.execute\(/.test(text)).map(({ path: file }) => file);
		expect(callers).toEqual(["src/tools/call.ts", "src/tools/tool.ts"]);
	});

	it("has no hand-written file over 300 lines, tables of expected results left out", () => {
		const judged = handWritten.filter(({ path: file }) => !file.endsWith(".expected.ts"));
		const long = judged.filter(({ text }) => text.split("\n").length > 301);
		expect(long.map(({ path: file, text }) => `${file}: ${text.split("\n").length - 1}`)).toEqual([]);
	});
});

describe("the list of built-in tools", () => {
	it("makes a registry: no two tools have one name", () => {
		expect(createRegistry(tools).tools.length).toBe(tools.length);
	});

	it("refuses a second tool of one name", () => {
		const [first] = tools;
		expect(() => createRegistry(first ? [...tools, first] : [])).toThrow(/Two tools are named/);
	});

	it("gives each alias a canonical tool that exists and is no alias itself", () => {
		const canonical = new Set(tools.filter((tool) => !tool.aliasOf).map((tool) => tool.name));
		expect(tools.filter((tool) => tool.aliasOf && !canonical.has(tool.aliasOf)).map((tool) => tool.name)).toEqual([]);
	});
});
