import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { uuid7 } from "../../src/lib/uuid7";
import { channel, dingtalk, webhookUrl } from "../support/workers/channel";
import { json, ok, provider, unanswered } from "../support/workers/provider";

describe("a delivery", () => {
	it("is sent once and recorded", async () => {
		const world = provider(ok);
		const team = await channel();
		const id = uuid7();
		expect(await team.deliver("hello", id)).toEqual({
			ok: true,
			status: "delivered",
			httpStatus: 200,
			partsDelivered: 1,
			partsTotal: 1,
			attempts: 1,
		});
		expect(world.requests.map(({ url, body }) => [url, body])).toEqual([[webhookUrl, '{"content":"hello"}']]);
		expect(await team.recorded(id)).toMatchObject({
			channel: team.name,
			session_id: "s-1",
			agent: "reporter",
			content: "hello",
			status: "delivered",
		});
		expect(await team.row()).toMatchObject({ last_status: "delivered", last_code: null, last_error: null });
		expect((await team.row())?.last_delivered_at).toBeGreaterThan(0);
	});

	it("does not move the configuration's version", async () => {
		provider(ok);
		const version = () => env.DB.prepare("SELECT version FROM config_version").first("version");
		const before = await version();
		await (await channel()).deliver("hello");
		expect(await version()).toBe(before);
	});

	it("happens once for one id, asked for at once, later, and of a new process", async () => {
		const world = provider(ok);
		const team = await channel();
		const id = uuid7();
		const verdicts = await Promise.all([
			team.deliver("hello", id),
			team.deliver("hello", id),
			team.deliver("hello", id),
		]);
		verdicts.push(await team.deliver("hello", id));
		await evictDurableObject(team.stub());
		verdicts.push(await team.deliver("hello", id));
		await abortAllDurableObjects();
		verdicts.push(await team.deliver("hello", id));
		for (const verdict of verdicts) expect(verdict).toEqual(verdicts[0]);
		expect(world.requests).toHaveLength(1);
	});

	it("fails with the provider's words and its code", async () => {
		provider(() => json({ errcode: 310000, errmsg: "keywords not in content" }));
		const team = await channel(dingtalk);
		const id = uuid7();
		expect(await team.deliver("hello", id)).toMatchObject({
			ok: false,
			status: "failed",
			permanent: true,
			providerCode: "310000",
		});
		expect(await team.recorded(id)).toMatchObject({ status: "failed" });
		expect(await team.row()).toMatchObject({ last_status: "failed", last_code: "310000", last_delivered_at: null });
		expect((await team.row())?.last_error).toMatch(/^keywords not in content/);
	});

	it("is tried again after a failure that may pass, and only then", async () => {
		const world = provider(() => new Response("", { status: 503 }), ok);
		const team = await channel();
		const clock = await team.fastClock();
		expect(await team.deliver("hello")).toMatchObject({ status: "delivered", attempts: 2 });
		expect(clock.slept).toEqual([500]);
		expect(world.requests[1]).toEqual(world.requests[0]);
	});

	it("goes in parts, each with an id that a receiver can tell apart", async () => {
		const world = provider(ok);
		const team = await channel();
		await team.fastClock();
		const id = uuid7();
		expect(await team.deliver(`${"line of text\n".repeat(12_000)}end`.slice(0, 149_000), id)).toMatchObject({
			status: "delivered",
			partsDelivered: 3,
			partsTotal: 3,
		});
		expect(world.requests.map(({ headers }) => headers.get("X-Delivery-Id"))).toEqual([id, `${id}.2`, `${id}.3`]);
		expect((await team.recorded(id))?.content).toHaveLength(20_000);
	});

	it("fails without a request when it is too long", async () => {
		const world = provider(ok);
		const team = await channel({ type: "pushover", url: "a".repeat(30), config: { user: "u".repeat(30) } });
		const id = uuid7();
		expect(await team.deliver("x".repeat(70_000), id)).toMatchObject({
			status: "failed",
			providerCode: "too_long",
			partsTotal: 70,
		});
		expect(await (await channel()).deliver("x".repeat(150_001))).toMatchObject({ providerCode: "too_long" });
		expect(world.requests).toEqual([]);
		expect(await team.recorded(id)).toMatchObject({ status: "failed" });
	});
});

describe("an answer that does not come", () => {
	it("leaves a delivery unknown and unrepeated when the process dies", async () => {
		const never = unanswered();
		const world = provider(never.reply);
		const team = await channel();
		const id = uuid7();
		const lost = team.deliver("hello", id).catch(() => undefined);
		await never.arrived();
		await abortAllDurableObjects();
		await lost;
		world.reply(ok);
		expect(await team.deliver("hello", id)).toMatchObject({
			ok: false,
			status: "unknown",
			providerCode: "no_answer",
			attempts: 1,
			partsDelivered: 0,
		});
		expect(world.requests).toHaveLength(1);
		expect(await team.recorded(id)).toMatchObject({ status: "unknown" });
		expect(await team.row()).toMatchObject({ last_status: "unknown", last_code: "no_answer" });
	});

	it("is recorded as unknown by the alarm alone", async () => {
		const never = unanswered();
		const world = provider(never.reply);
		const team = await channel();
		const id = uuid7();
		const lost = team.deliver("hello", id).catch(() => undefined);
		await never.arrived();
		await abortAllDurableObjects();
		await lost;
		expect(await runDurableObjectAlarm(team.stub())).toBe(true);
		expect(await team.recorded(id)).toMatchObject({ status: "unknown" });
		expect(world.requests).toHaveLength(1);
	});

	it("leaves the parts after it unsent", async () => {
		const never = unanswered();
		const world = provider(ok, never.reply);
		const team = await channel();
		const id = uuid7();
		const content = "line of text\n".repeat(11_000);
		const lost = team.deliver(content, id).catch(() => undefined);
		await never.arrived();
		await abortAllDurableObjects();
		await lost;
		world.reply(ok);
		expect(await team.deliver(content, id)).toMatchObject({
			status: "unknown",
			partsDelivered: 1,
			partsTotal: 3,
			attempts: 2,
		});
		expect(world.requests).toHaveLength(2);
	});

	it("does not hold up the next delivery", async () => {
		const world = provider(() => Promise.reject(new Error(`Connection to ${webhookUrl} lost`)), ok);
		const team = await channel();
		const id = uuid7();
		expect(await team.deliver("first", id)).toMatchObject({ status: "unknown" });
		expect(await team.deliver("second")).toMatchObject({ status: "delivered" });
		expect(world.requests).toHaveLength(2);
		expect(JSON.stringify(await team.recorded(id))).not.toContain(webhookUrl);
	});
});
