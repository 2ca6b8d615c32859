import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { app } from "../../src/app";
import { statusOf } from "../../src/shared/errors";
import { call } from "../support/workers/api";
import { invocation, store } from "../support/workers/invocations";

const answer = z.object({
	description: z.string().min(1),
	content: z
		.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()), example: z.unknown().optional() }))
		.optional(),
});
const operation = z.strictObject({
	operationId: z.string(),
	tags: z.array(z.string()).length(1),
	summary: z.string().min(1),
	description: z.string(),
	security: z.array(z.record(z.string(), z.array(z.string()))),
	parameters: z
		.array(
			z.object({
				name: z.string(),
				in: z.enum(["path", "query", "header"]),
				required: z.boolean().optional(),
				description: z.string().optional(),
				schema: z.record(z.string(), z.unknown()),
			}),
		)
		.optional(),
	requestBody: z
		.object({
			required: z.literal(true),
			content: z.record(z.string(), z.object({ schema: z.looseObject({}), example: z.unknown().optional() })),
		})
		.optional(),
	responses: z.record(z.string().regex(/^[1-5]\d\d$/), z.union([z.strictObject({ $ref: z.string() }), answer])),
});
const document = z.object({
	openapi: z.string(),
	info: z.object({ title: z.string(), version: z.string() }),
	tags: z.array(z.object({ name: z.string(), description: z.string().min(1) })),
	paths: z.record(
		z.string().startsWith("/"),
		z.record(z.enum(["get", "post", "put", "patch", "delete"]), operation.optional()),
	),
	components: z.object({
		securitySchemes: z.record(z.string(), z.object({ type: z.literal("http"), scheme: z.literal("bearer") })),
		responses: z.record(z.string(), answer),
	}),
});

const parse = async () => document.parse((await call("/api/v1/openapi.json", { token: null })).json);
let api: z.output<typeof document>;
beforeAll(async () => {
	api = await parse();
});

const operations = () =>
	Object.entries(api.paths).flatMap(([path, methods]) =>
		Object.entries(methods).flatMap(([method, operation]) => (operation ? [{ path, method, operation }] : [])),
	);

describe("the OpenAPI document", () => {
	it("needs no token and is of version 3.1", async () => {
		const { status, json } = await call("/api/v1/openapi.json", { token: null });
		expect(status).toBe(200);
		expect(json).toMatchObject({ openapi: "3.1.0", info: { title: "oryx-edge" } });
	});

	it("describes every route that is mounted", () => {
		const undescribed = new Set(["GET /", "GET /docs/{file}"]);
		const mounted = app.routes
			.filter(({ method }) => method !== "ALL")
			.map(({ method, path }) => `${method} ${path.replace(/:(\w+)\??/g, "{$1}").replace(/(.)\/$/, "$1")}`);
		const described = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`);
		expect(new Set(described)).toEqual(new Set(mounted.filter((route) => !undescribed.has(route))));
		expect(described.length).toBeGreaterThan(40);
	});

	it("resolves every reference", () => {
		const text = JSON.stringify(api);
		const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference ?? "");
		expect(references.length).toBeGreaterThan(0);
		for (const reference of new Set(references)) {
			const target = reference
				.slice(2)
				.split("/")
				.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], api);
			expect(target, reference).toBeDefined();
		}
	});

	it("names each operation once", () => {
		const ids = operations().map(({ operation }) => operation.operationId);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it("declares each parameter of a path", () => {
		for (const { path, operation } of operations()) {
			const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
			expect(declared.map(({ name }) => name).sort(), path).toEqual(inPath.sort());
			expect(declared.every(({ required }) => required)).toBe(true);
		}
	});

	it("says of a parameter what it is for where a viewer looks for it", () => {
		const parameters = operations().flatMap(({ operation }) => operation.parameters ?? []);
		expect(parameters.filter(({ schema }) => "description" in schema)).toEqual([]);
		expect(parameters.find(({ name }) => name === "protected")?.description).toContain("workspace:protected");
	});

	it("shows each error with a code of its status", () => {
		for (const [status, { content }] of Object.entries(api.components.responses)) {
			const codes = Object.entries(statusOf).flatMap(([code, other]) => (String(other) === status ? [code] : []));
			expect(content?.["application/json"]?.example).toMatchObject({ error: { code: expect.toBeOneOf(codes) } });
		}
	});

	it("tells of success and of what can go wrong", () => {
		for (const { path, method, operation } of operations()) {
			const statuses = Object.keys(operation.responses);
			const succeeds = statuses.some((status) => status.startsWith("2"));
			expect(succeeds, `${method} ${path}`).toBe(!operation.summary.startsWith("Refused:"));
			expect(statuses, path).toContain("500");
			const isPublic = operation.security.length === 0;
			expect(statuses.includes("401"), path).toBe(!isPublic);
			expect(statuses.includes("403"), path).toBe(/Needs the permission `[a-z]+:[a-z]+`/.test(operation.description));
			if (operation.requestBody)
				expect(statuses, `${method} ${path}`).toEqual(expect.arrayContaining(["400", "413", "415"]));
			if (operation.parameters?.some((parameter) => parameter.in === "query")) expect(statuses, path).toContain("400");
		}
	});

	it("has an example for each body that JSON can hold, and each is taken", async () => {
		const names: Readonly<Record<string, string>> = {
			agents: "harbour",
			skills: "tides",
			tools: "current_time",
			"notify-channels": "crew",
			whitelist: "HTTP",
			secrets: "OPENAI_API_KEY",
			workspaces: "harbour",
		};
		const values: Readonly<Record<string, string>> = { path: "notes.txt" };
		let taken = 0;
		for (const { path, method, operation } of operations()) {
			for (const [type, { schema, example }] of Object.entries(operation.requestBody?.content ?? {})) {
				if (schema.format === "binary" && example === undefined) continue;
				const query = (operation.parameters ?? []).filter(
					(parameter) => parameter.in === "query" && parameter.required,
				);
				const target = path.replace(/([\w-]+)\/\{\w+\}/, (_, resource: string) => `${resource}/${names[resource]}`);
				const search = new URLSearchParams(query.map(({ name }) => [name, values[name] ?? ""]));
				if (method === "post" && path === "/api/v1/agents") await call(`${path}/harbour`, { method: "DELETE" });
				const headers = { "content-type": type };
				const { status, text } = await call(`${target}?${search}`, {
					method: method.toUpperCase(),
					body: example,
					headers,
				});
				expect(status, `${method} ${path} ${type}: ${text}`).toBeLessThan(300);
				taken++;
			}
		}
		expect(taken).toBeGreaterThan(12);
	});

	it("sorts every operation under a tag that it describes", () => {
		const described = api.tags.map(({ name }) => name);
		expect(new Set(operations().flatMap(({ operation }) => operation.tags))).toEqual(new Set(described));
	});

	it("wants a token wherever the app does", async () => {
		for (const { path, method, operation } of operations()) {
			const { status } = await call(path.replaceAll(/\{\w+\}/g, "x"), { method: method.toUpperCase(), token: null });
			expect(status === 401, `${method} ${path}`).toBe(operation.security.length > 0);
		}
	});
});

describe("an answer", () => {
	beforeAll(async () => {
		await call("/api/v1/agents", { body: { name: "one", provider: { name: "manual" } } });
		await call("/api/v1/skills/one", { method: "PUT", body: "---\nname: one\ndescription: d\n---\nb" });
		await call("/api/v1/secrets/one", { method: "PUT", body: { value: "v" } });
		await call("/api/v1/notify-channels", {
			body: { name: "one", type: "webhook", url: "https://hooks.example.com/x" },
		});
		await call("/api/v1/tokens", { body: { name: "one" } });
		await store([invocation("2026-01-01T00:00:00Z", { id: "one" })]);
	});

	it.each([
		"/health",
		"/api/v1/me",
		"/api/v1/agents",
		"/api/v1/agents/{name}",
		"/api/v1/skills",
		"/api/v1/tools",
		"/api/v1/notify-channels",
		"/api/v1/notify-channels/{name}",
		"/api/v1/notify-channels/{name}/deliveries",
		"/api/v1/sandbox/whitelist",
		"/api/v1/policy",
		"/api/v1/settings",
		"/api/v1/secrets",
		"/api/v1/secrets/{name}",
		"/api/v1/tokens",
		"/api/v1/tool-invocations",
		"/api/v1/tool-invocations/{id}",
		"/api/v1/llm-calls",
		"/api/v1/sessions",
		"/api/v1/workspaces",
		"/api/v1/workspaces/{name}/jobs",
	])("of GET %s is as the document says", async (path) => {
		const { status, json } = await call(path.replaceAll(/\{\w+\}/g, "one"));
		expect(status).toBe(200);
		const described = answer.parse(api.paths[path]?.get?.responses[200]);
		const schema = z.fromJSONSchema(described.content?.["application/json"]?.schema ?? false);
		expect(schema.safeParse(json).error?.issues).toBeUndefined();
	});

	it("that is an error is as the document says", async () => {
		const { json } = await call("/api/v1/agents/nobody");
		const schema = z.fromJSONSchema(api.components.responses[404]?.content?.["application/json"]?.schema ?? false);
		expect(schema.safeParse(json).error?.issues).toBeUndefined();
	});
});

describe("the documentation page", () => {
	it("loads nothing from elsewhere", async () => {
		const { status, text, headers } = await call("/docs", { token: null });
		expect(status).toBe(200);
		expect(headers.get("content-type")).toContain("text/html");
		expect(headers.get("content-security-policy")).toContain("script-src 'self'; style-src 'self' 'unsafe-inline'");
		const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? "");
		expect(loaded.length).toBeGreaterThan(4);
		expect(loaded.every((url) => url.startsWith("/"))).toBe(true);
		for (const url of loaded) expect((await call(url, { token: null })).status, url).toBe(200);
	});

	it("has no files but its own", async () => {
		expect((await call("/docs/nothing.js", { token: null })).status).toBe(404);
		expect((await call("/docs/..%2F..%2Fpackage.json", { token: null })).status).toBe(404);
	});
});
