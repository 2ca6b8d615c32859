import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { loadSnapshot } from "../../src/db/snapshot";
import { call } from "../support/workers/api";

const version = async () =>
	(await env.DB.prepare("SELECT version FROM config_version").first<{ version: number }>())?.version;

describe("the lists", () => {
	it("take an entry once, in its one spelling", async () => {
		const first = await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "API.Example.com" } });
		expect(first.status).toBe(200);
		expect(first.json).toEqual({
			category: "HTTP",
			value: "api.example.com",
			changed: true,
			entries: ["api.example.com"],
		});
		const again = await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "api.example.com" } });
		expect(again.json).toMatchObject({ changed: false, entries: ["api.example.com"] });
	});

	it("give an entry up", async () => {
		await call("/api/v1/sandbox/whitelist/SHELL", { body: { value: "ls" } });
		await call("/api/v1/sandbox/whitelist/SHELL", { body: { value: "cat" } });
		const gone = await call("/api/v1/sandbox/whitelist/SHELL?value=ls", { method: "DELETE" });
		expect(gone.json).toEqual({ category: "SHELL", value: "ls", changed: true, entries: ["cat"] });
		const again = await call("/api/v1/sandbox/whitelist/SHELL?value=ls", { method: "DELETE" });
		expect(again.json).toMatchObject({ changed: false, entries: ["cat"] });
	});

	it("are shown all three, or one", async () => {
		await call("/api/v1/sandbox/whitelist/FILE", { body: { value: "/workspace/reports/" } });
		const { json } = await call("/api/v1/sandbox/whitelist");
		expect(json).toMatchObject({
			items: [{ category: "FILE", entries: ["/workspace/reports"] }, { category: "SHELL" }, { category: "HTTP" }],
			nextCursor: null,
		});
		expect((await call("/api/v1/sandbox/whitelist/FILE")).json).toEqual({
			category: "FILE",
			entries: ["/workspace/reports"],
		});
	});

	it.each([
		["FILES", "a", /^category: /],
		["HTTP", "*", /^value: .*HTTP list/],
		["HTTP", "*.com", /^value: .*HTTP list/],
		["HTTP", "https://api.example.com/path", /^value: .*HTTP list/],
		["HTTP", "10.0.0.1", /^value: .*HTTP list/],
		["FILE", "../etc", /^value: .*FILE list/],
		["SHELL", "ls; rm", /^value: .*SHELL list/],
	])("refuse to %s: %s", async (category, value, message) => {
		const before = await version();
		const { status, json } = await call(`/api/v1/sandbox/whitelist/${category}`, { body: { value } });
		expect(status).toBe(400);
		expect(json).toMatchObject({ error: { message: expect.stringMatching(message) } });
		expect(await version()).toBe(before);
	});

	it.each(["127.0.0.1", "http://127.0.0.1:9000", "localhost", "[::1]"])(
		"take %s in development only",
		async (value) => {
			const at = "/api/v1/sandbox/whitelist/HTTP";
			const deployed = await call(at, { body: { value }, env: { ORYX_ALLOW_LOOPBACK: "" } });
			expect(deployed.status).toBe(400);
			expect((await call(at, { body: { value }, env: { ORYX_ALLOW_LOOPBACK: "1" } })).status).toBe(200);
		},
	);
});

describe("the policy", () => {
	it("is all defaults at first, and is replaced as a whole", async () => {
		const rules = Array.from({ length: 120 }, (_, at) => ({
			tool: "*",
			path: "url",
			pattern: `*${at}*`,
			action: "deny",
		}));
		const first = { default: "allow", groups: { http: "supervised" }, tools: { notify: "deny" }, argumentRules: rules };
		const put = await call("/api/v1/policy", { method: "PUT", body: first });
		expect(put.status, put.text).toBe(200);
		const { json } = await call("/api/v1/policy");
		expect(json).toEqual(put.json);
		expect(json).toMatchObject({ ...first, approval: { timeoutSeconds: 300, onTimeout: "deny" } });
		await call("/api/v1/policy", { method: "PUT", body: {} });
		expect((await call("/api/v1/policy")).json).toMatchObject({ groups: {}, tools: {}, argumentRules: [] });
	});
});

describe("the settings", () => {
	it("are replaced as a whole, hosts in their one spelling", async () => {
		const body = { http: { readMode: "public" }, browser: { allowedDomains: ["*.Example.com"] } };
		const { status, json } = await call("/api/v1/settings", { method: "PUT", body });
		expect(status).toBe(200);
		expect(json).toMatchObject({
			http: { readMode: "public", timeoutSeconds: 30 },
			browser: { allowedDomains: ["*.example.com"] },
		});
		expect((await call("/api/v1/settings")).json).toEqual(json);
		const refused = await call("/api/v1/settings", { method: "PUT", body: { browser: { allowedDomains: ["*"] } } });
		expect(refused.status).toBe(400);
		expect((await call("/api/v1/settings")).json).toEqual(json);
	});

	it.each([
		["/workspace", "/workspace"],
		["/workspace/a//b/", "/workspace/a/b"],
	])("take %s for the root of workspaces, as %s", async (root, stored) => {
		const { json } = await call("/api/v1/settings", { method: "PUT", body: { files: { root } } });
		expect(json).toMatchObject({ files: { root: stored } });
		await call("/api/v1/settings", { method: "PUT", body: {} });
	});

	it.each([
		"",
		"/",
		"/tmp",
		"/skills",
		"/workspaces",
		"/workspace/../tmp",
		"workspace",
		".",
		"~",
		"C:\\x",
		"/workspace/a\nb",
	])("refuse %j as the root of workspaces", async (root) => {
		const before = await version();
		const { status, json } = await call("/api/v1/settings", { method: "PUT", body: { files: { root } } });
		expect([status, json]).toMatchObject([400, { error: { message: expect.stringMatching(/^files\.root: /) } }]);
		expect(await version()).toBe(before);
	});
});

describe("a snapshot", () => {
	it("is read again only when something has changed", async () => {
		const before = await loadSnapshot(env.DB);
		expect(await loadSnapshot(env.DB)).toBe(before);
		expect(await loadSnapshot(env.DB, before.version)).toBe(before);
		await call("/api/v1/policy", { method: "PUT", body: { tools: { notify: "deny" } } });
		const after = await loadSnapshot(env.DB);
		expect(after.version).toBeGreaterThan(before.version);
		expect(after.policy.tools).toEqual({ notify: "deny" });
	});

	it.each([
		["an agent", "POST", "/api/v1/agents", { name: "snap" }],
		["a change of an agent", "PATCH", "/api/v1/agents/snap", { description: "x" }],
		["the end of an agent", "DELETE", "/api/v1/agents/snap", undefined],
		["a skill", "PUT", "/api/v1/skills/snap", "---\nname: snap\ndescription: d\n---\nb"],
		["a secret", "PUT", "/api/v1/secrets/SNAP", { value: "v" }],
		["a list entry", "POST", "/api/v1/sandbox/whitelist/HTTP", { value: "snap.example.com" }],
		["settings", "PUT", "/api/v1/settings", {}],
		[
			"a channel",
			"POST",
			"/api/v1/notify-channels",
			{ name: "snap", type: "webhook", url: "https://hooks.example.com/x" },
		],
		["a change of a channel", "PUT", "/api/v1/notify-channels/snap", { type: "webhook", enabled: false }],
	])("moves with %s", async (_, method, path, body) => {
		const before = await version();
		const { status, text } = await call(path, { method, body });
		expect(status, text).toBeLessThan(300);
		expect(await version()).toBe((before ?? 0) + 1);
	});

	it("leaves out a profile it cannot read, and serves the others", async () => {
		await call("/api/v1/agents", { body: { name: "broken" } });
		await call("/api/v1/agents", { body: { name: "whole" } });
		await env.DB.prepare("UPDATE agents SET profile_json = '{}' WHERE name = 'broken'").run();
		await call("/api/v1/settings", { method: "PUT", body: {} });
		const { agents } = await loadSnapshot(env.DB);
		expect([agents.has("broken"), agents.has("whole")]).toEqual([false, true]);
	});
});
