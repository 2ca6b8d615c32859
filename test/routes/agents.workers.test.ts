import { describe, expect, it } from "vitest";
import { call } from "../support/workers/api";

const md = (name: string, extra = "") => `---\nname: ${name}\ndescription: d\n${extra}---\n\nYou help.\n`;

describe("an agent", () => {
	it("is made, read, replaced and deleted", async () => {
		const made = await call("/api/v1/agents", { body: { name: "ops", prompt: "You help.", tools: ["current_time"] } });
		expect(made.status).toBe(201);
		expect(made.json).toMatchObject({
			name: "ops",
			prompt: "You help.",
			tools: ["current_time"],
			deny_tools: [],
			settings: { max_iterations: 10, max_history_turns: 20 },
			createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
			warnings: [],
		});
		const replaced = await call("/api/v1/agents/ops", { method: "PUT", body: { prompt: "You help more." } });
		expect(replaced.status).toBe(200);
		const { json } = await call("/api/v1/agents/ops");
		expect(json).toMatchObject({ name: "ops", prompt: "You help more.", tools: [] });
		expect((await call("/api/v1/agents/ops", { method: "DELETE" })).status).toBe(204);
		expect((await call("/api/v1/agents/ops")).status).toBe(404);
		expect((await call("/api/v1/agents/ops", { method: "DELETE" })).status).toBe(404);
	});

	it("is made by PUT where there is none", async () => {
		expect((await call("/api/v1/agents/put", { method: "PUT", body: {} })).status).toBe(201);
		expect((await call("/api/v1/agents/put", { method: "PUT", body: {} })).status).toBe(200);
	});

	it("takes its name from the path where an AGENT.md has none", async () => {
		const body = "---\ndescription: Nameless.\n---\n\nHelp.\n";
		expect((await call("/api/v1/agents/named-by-path", { method: "PUT", body })).json).toMatchObject({
			name: "named-by-path",
			prompt: "Help.",
		});
		const { status, text } = await call("/api/v1/agents", { body });
		expect([status, text]).toEqual([400, expect.stringContaining("name: It is missing")]);
	});

	it("comes as an AGENT.md and goes as one, nothing lost", async () => {
		const identity = 'identity: {agent_name: Rita}\nschedules: [{key: k, cron: "0 9 * * *", message: Go}]\n';
		const made = await call("/api/v1/agents", { body: md("rita", identity) });
		expect(made.status, made.text).toBe(201);
		const read = await call("/api/v1/agents/rita", { headers: { accept: "text/markdown" } });
		expect(read.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
		expect(read.text).toContain("agent_name: Rita");
		const again = await call("/api/v1/agents/rita", { method: "PUT", body: read.text });
		expect(again.status, again.text).toBe(200);
		const without = (json: unknown) => ({ ...(json as object), updatedAt: "" });
		expect(without(again.json)).toEqual(without(made.json));
	});

	it("is changed field by field", async () => {
		const provider = { name: "openai", model: "gpt-5", temperature: 0.5 };
		await call("/api/v1/agents", { body: { name: "patched", prompt: "p", provider, tools: ["notify"] } });
		const patch = {
			provider: { model: "gpt-6", temperature: null },
			description: "new",
			settings: { max_iterations: 3 },
		};
		const { status, json } = await call("/api/v1/agents/patched", { method: "PATCH", body: patch });
		expect(status).toBe(200);
		expect(json).toMatchObject({
			prompt: "p",
			description: "new",
			tools: ["notify"],
			provider: { name: "openai", model: "gpt-6" },
			settings: { max_iterations: 3, max_history_turns: 20 },
		});
		expect(json).not.toHaveProperty("provider.temperature");
	});

	it("is not made twice, not even at once", async () => {
		const make = () => call("/api/v1/agents", { body: { name: "twin" } });
		const statuses = (await Promise.all([make(), make(), make()])).map(({ status }) => status);
		expect(statuses.sort()).toEqual([201, 409, 409]);
	});

	it("does not lose one of two changes made at once", async () => {
		await call("/api/v1/agents", { body: { name: "raced" } });
		const change = (body: object) => call("/api/v1/agents/raced", { method: "PATCH", body });
		const answers = await Promise.all([change({ description: "a" }), change({ prompt: "b" })]);
		const { json } = await call("/api/v1/agents/raced");
		const [first, second] = answers.map(({ status }) => status === 200);
		expect(first || second).toBe(true);
		expect(json).toMatchObject({ description: first ? "a" : "", prompt: second ? "b" : "" });
	});

	it("is saved with what does not exist, and says so", async () => {
		const body = {
			name: "warned",
			tools: ["current_time", "http_*", "github__*", "no_such_tool"],
			deny_tools: ["no_such_tool"],
			skills: ["no-skill"],
			mcp_servers: ["github"],
			schedules: [{ key: "k", cron: "0 9 * * *", message: "Go" }],
			provider: { name: "openai", apiKey: "${NO_SECRET}" },
		};
		const { status, json } = await call("/api/v1/agents", { body });
		expect(status).toBe(201);
		expect(json).toMatchObject({
			tools: body.tools,
			warnings: [
				'No tool answers to "github__*".',
				'No tool answers to "no_such_tool".',
				"There is no MCP server github.",
				"schedules: they are kept, and nothing runs them yet.",
				"There is no skill no-skill.",
				"There is no secret NO_SECRET, which provider.apiKey names.",
			],
		});
	});

	it.each([
		["a bad name", { name: "a b" }, /^name: Use 1 to 64/],
		["no name", {}, /^name: /],
		["a field that does not exist", { name: "x", tool: [] }, /^tool: There is no such field/],
		[
			"a model key in the clear",
			{ name: "x", provider: { name: "openai", apiKey: "sk-canary" } },
			/^provider.apiKey: Write/,
		],
		["too many iterations", { name: "x", settings: { max_iterations: 1e9 } }, /^settings.max_iterations: /],
		[
			"a provider that does not exist",
			{ name: "x", provider: { name: "opnai" } },
			/^provider.name: Known are .*openai/,
		],
		[
			"a model inside",
			{ name: "x", provider: { name: "openai", baseUrl: "https://169.254.169.254/v1" } },
			/^provider.baseUrl: /,
		],
		["no closed fence", "---\nname: x\nbody", /not closed/],
	])("is refused with %s, and nothing is stored", async (_, body, message) => {
		const { status, json, text } = await call("/api/v1/agents", { body });
		expect(status).toBe(400);
		expect(json).toMatchObject({ error: { code: "invalid_input", message: expect.stringMatching(message) } });
		expect(text).not.toContain("canary");
		expect((await call("/api/v1/agents/x")).status).toBe(404);
	});

	it("is refused under another name than the path's", async () => {
		for (const body of [{ name: "other" }, md("other")]) {
			const { status, json } = await call("/api/v1/agents/this", { method: "PUT", body });
			expect(status).toBe(400);
			expect(json).toMatchObject({ error: { message: expect.stringMatching(/^name: it is other/) } });
		}
		await call("/api/v1/agents/this", { method: "PUT", body: {} });
		expect((await call("/api/v1/agents/this", { method: "PATCH", body: { name: "other" } })).status).toBe(400);
	});

	it("may ask a model on this machine in development only", async () => {
		const body = { name: "local", provider: { name: "ollama", baseUrl: "http://127.0.0.1:11434/v1" } };
		expect((await call("/api/v1/agents", { body, env: { ORYX_ALLOW_LOOPBACK: "" } })).status).toBe(400);
		expect((await call("/api/v1/agents", { body })).status).toBe(201);
		const patch = { provider: { baseUrl: "http://10.0.0.1/v1" } };
		expect((await call("/api/v1/agents/local", { method: "PATCH", body: patch })).status).toBe(400);
	});

	it("is refused as a form", async () => {
		const { status, json } = await call("/api/v1/agents", {
			body: "name=x",
			headers: { "content-type": "text/plain" },
		});
		expect(status).toBe(415);
		expect(json).toMatchObject({ error: { message: expect.stringContaining("application/json or text/markdown") } });
	});
});

describe("the list of agents", () => {
	it("comes in pages, by name, each agent once", async () => {
		for (const name of ["list-c", "list-a", "list-b", "list-e", "list-d"]) {
			await call("/api/v1/agents", { body: { name } });
		}
		const names: string[] = [];
		let cursor: string | null = "";
		for (let page = 0; cursor !== null; page++) {
			const { json } = await call(`/api/v1/agents?limit=2${cursor && `&cursor=${cursor}`}`);
			const { items, nextCursor } = json as { items: { name: string }[]; nextCursor: string | null };
			expect(items.length).toBeLessThanOrEqual(2);
			names.push(...items.map(({ name }) => name));
			cursor = nextCursor;
			expect(page).toBeLessThan(50);
		}
		expect(names.filter((name) => name.startsWith("list-"))).toEqual([
			"list-a",
			"list-b",
			"list-c",
			"list-d",
			"list-e",
		]);
		expect(new Set(names).size).toBe(names.length);
	});

	it.each([
		["limit=0", /^limit: /],
		["limit=201", /^limit: /],
		["limit=many", /^limit: /],
		["cursor=%25%25", /^cursor: Send nextCursor/],
		["page=2", /^page: There is no such field/],
	])("refuses %s", async (query, message) => {
		const { status, json } = await call(`/api/v1/agents?${query}`);
		expect(status).toBe(400);
		expect(json).toMatchObject({ error: { message: expect.stringMatching(message) } });
	});
});
