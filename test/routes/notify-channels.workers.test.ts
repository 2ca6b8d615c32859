import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { open } from "../../src/lib/seal";
import { call } from "../support/workers/api";
import { capturedLog } from "../support/workers/console";
import { wholeDatabase } from "../support/workers/database";
import { receiverFor } from "../support/workers/receiver";

const at = "/api/v1/notify-channels";
const urlCanary = "urlcanary0123456789abcdef";
const secretCanary = "secretcanary0123456789";
const webhook = (over = {}) => ({ type: "webhook", url: `https://hooks.example.com/${urlCanary}`, ...over });

const storedSecret = async (name: string) => {
	const row = await env.DB.prepare("SELECT secret FROM notify_channels WHERE name = ?")
		.bind(name)
		.first<{ secret: string | null }>();
	return row?.secret
		? await open(env.ORYX_MASTER_KEY ?? "", `notify_channels|${name}|secret`, row.secret)
		: row?.secret;
};

describe("a channel", () => {
	it("is registered, changed and deleted; its address and secret are never shown", async () => {
		const lines = capturedLog();
		const name = "运维群";
		const path = `${at}/${encodeURIComponent(name)}`;
		const answers = [
			await call(at, { body: { name, ...webhook({ secret: secretCanary, description: "ops" }) } }),
			await call(path),
			await call(at),
			await call(path, { method: "PUT", body: { type: "webhook", url: "", description: "ops 2" } }),
			await call(path, { method: "PUT", body: { type: "telegram" } }),
			await call(at, { body: { name: "bad", ...webhook({ url: `https://10.0.0.1/${urlCanary}` }) } }),
			await call(at, { body: { name: "bad", ...webhook({ secret: 7, urls: urlCanary }) } }),
		];
		expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 400, 400, 400]);
		expect(answers[1]?.json).toMatchObject({
			name,
			type: "webhook",
			url: "https://hooks.example.com/…",
			configured: { url: true, secret: true },
			description: "ops",
			enabled: true,
			isDefault: false,
			lastDelivery: null,
		});
		expect(answers[3]?.json).toMatchObject({ description: "ops 2", configured: { url: true, secret: true } });
		const everywhere = [...answers.map(({ text }) => text), ...lines, await wholeDatabase()].join("\n");
		expect(everywhere).toContain(name);
		expect(everywhere).not.toContain(urlCanary);
		expect(everywhere).not.toContain(secretCanary);
		expect((await call(path, { method: "DELETE" })).status).toBe(204);
		expect((await call(path)).status).toBe(404);
		expect((await call(path, { method: "PUT", body: webhook() })).status).toBe(404);
	});

	it("keeps its secret until another is given or it is cleared", async () => {
		await call(at, { body: { name: "kept", ...webhook({ secret: secretCanary }) } });
		const put = (body: object) => call(`${at}/kept`, { method: "PUT", body: { type: "webhook", ...body } });
		await put({ secret: "" });
		expect(await storedSecret("kept")).toBe(secretCanary);
		await put({ secret: "another" });
		expect(await storedSecret("kept")).toBe("another");
		expect((await put({ secret: "a third", clear: ["secret"] })).status).toBe(400);
		const { json } = await put({ clear: ["secret"] });
		expect(json).toMatchObject({ configured: { url: true, secret: false } });
		expect(await storedSecret("kept")).toBeNull();
	});

	it("keeps its address when a client sends back what it was shown", async () => {
		const { json } = await call(at, { body: { name: "shown", ...webhook() } });
		const { url } = json as { url: string };
		expect((await call(`${at}/shown`, { method: "PUT", body: { type: "webhook", url } })).status).toBe(200);
		const row = await env.DB.prepare("SELECT url FROM notify_channels WHERE name = 'shown'").first<{ url: string }>();
		expect(await open(env.ORYX_MASTER_KEY ?? "", "notify_channels|shown|url", row?.url ?? "")).toContain(urlCanary);
	});

	it("is not registered twice, not even at once", async () => {
		const make = () => call(at, { body: { name: "twin", ...webhook() } });
		const statuses = (await Promise.all([make(), make(), make()])).map(({ status }) => status);
		expect(statuses.sort()).toEqual([201, 409, 409]);
	});

	it("takes the place of the default one before it", async () => {
		await call(at, { body: { name: "default-1", ...webhook({ isDefault: true }) } });
		await call(at, { body: { name: "default-2", ...webhook({ isDefault: true }) } });
		const defaults = async () => {
			const { json } = await call(`${at}?limit=200`);
			const { items } = json as { items: { name: string; isDefault: boolean }[] };
			return items.filter(({ isDefault }) => isDefault).map(({ name }) => name);
		};
		expect(await defaults()).toEqual(["default-2"]);
		await call(`${at}/default-1`, { method: "PUT", body: { type: "webhook", isDefault: true } });
		expect(await defaults()).toEqual(["default-1"]);
		expect((await call(at, { body: { name: "default-2", ...webhook({ isDefault: true }) } })).status).toBe(409);
		expect(await defaults()).toEqual(["default-1"]);
	});

	it.each([
		["no name", webhook(), /^name: /],
		["a name with a slash", { name: "a/b", ...webhook() }, /^name: Use no control/],
		["a type that does not exist", { name: "x", ...webhook({ type: "pager" }) }, /^type: /],
		["no address", { name: "x", type: "webhook" }, /^url: /],
		["an empty address", { name: "x", ...webhook({ url: "" }) }, /^url: Send the address/],
		[
			"what is shown of an address",
			{ name: "x", ...webhook({ url: "https://a.example/…" }) },
			/^url: .*paste the whole/,
		],
		["plain http", { name: "x", ...webhook({ url: "http://hooks.example.com/a" }) }, /^url: /],
		["an address inside", { name: "x", ...webhook({ url: "https://169.254.169.254/" }) }, /^url: /],
		["another's host", { name: "x", type: "slack", url: "https://hooks.example.com/services/T/B/X" }, /^url: .*slack/],
		[
			"an option that does not exist",
			{ name: "x", ...webhook({ config: { colour: "red" } }) },
			/^config\.colour: There is no such field/,
		],
	])("is refused with %s", async (_, body, message) => {
		const { status, json } = await call(at, { body });
		expect(status).toBe(400);
		expect(json).toMatchObject({ error: { message: expect.stringMatching(message) } });
		expect((await call(`${at}/x`)).status).toBe(404);
	});

	it("may lead to this machine in development only", async () => {
		const body = { name: "local", ...webhook({ url: "http://127.0.0.1:9000/hook" }) };
		expect((await call(at, { body, env: { ORYX_ALLOW_LOOPBACK: "" } })).status).toBe(400);
		expect((await call(at, { body })).status).toBe(201);
	});
});

describe("a test message", () => {
	it("is really sent, and stands among the deliveries", async () => {
		const received = await receiverFor("tested", () => new Response("fine"));
		await call(at, { body: { name: "tested", ...webhook() } });
		const { status, json } = await call(`${at}/tested/test`, { method: "POST" });
		expect(status).toBe(200);
		expect(json).toMatchObject({ success: true, verdict: { ok: true, status: "delivered", httpStatus: 200 } });
		expect(received).toHaveLength(1);
		expect(received[0]).toMatchObject({
			url: `https://hooks.example.com/${urlCanary}`,
			body: expect.stringContaining("tested"),
		});
		const deliveries = await call(`${at}/tested/deliveries`);
		expect(deliveries.json).toMatchObject({
			items: [{ channel: "tested", status: "delivered", verdict: { ok: true } }],
		});
		expect((await call(`${at}/tested`)).json).toMatchObject({ lastDelivery: { status: "delivered" } });
	});

	it("tells what the provider said against it", async () => {
		await receiverFor("refusing", () => Response.json({ code: 19021, msg: "sign match fail" }));
		const url = `https://open.feishu.cn/open-apis/bot/v2/hook/${urlCanary}`;
		await call(at, { body: { name: "refusing", type: "feishu", url } });
		const { status, json, text } = await call(`${at}/refusing/test`, { method: "POST" });
		expect(status).toBe(200);
		expect(json).toMatchObject({ success: false, verdict: { ok: false, status: "failed", providerCode: "19021" } });
		expect(text).not.toContain(urlCanary);
		expect((await call(`${at}/refusing`)).json).toMatchObject({ lastDelivery: { status: "failed", code: "19021" } });
	});

	it("is sent to none that does not exist", async () => {
		expect((await call(`${at}/nobody/test`, { method: "POST" })).status).toBe(404);
		expect((await call(`${at}/nobody/deliveries`)).status).toBe(404);
	});

	it("is listed in pages, newest first", async () => {
		await receiverFor("paged", () => new Response("fine"));
		await call(at, { body: { name: "paged", ...webhook() } });
		for (let count = 0; count < 3; count++) await call(`${at}/paged/test`, { method: "POST" });
		const first = await call(`${at}/paged/deliveries?limit=2`);
		const { items, nextCursor } = first.json as { items: { id: string }[]; nextCursor: string };
		const second = await call(`${at}/paged/deliveries?limit=2&cursor=${nextCursor}`);
		const rest = second.json as { items: { id: string }[]; nextCursor: null };
		const ids = [...items, ...rest.items].map(({ id }) => id);
		expect(ids).toHaveLength(3);
		expect(ids).toEqual([...ids].sort().reverse());
		expect(rest.nextCursor).toBeNull();
	});
});
