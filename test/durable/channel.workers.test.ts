import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { courier } from "../../src/durable/channel-courier";
import { ChannelQueue, type QueueClock } from "../../src/durable/channel-queue";
import { ChannelStore } from "../../src/durable/channel-store";
import { deploymentOf } from "../../src/durable/deployment";
import { uuid7 } from "../../src/lib/uuid7";
import { channel, webhookUrl } from "../support/workers/channel";
import { capturedLog } from "../support/workers/console";
import { json, provider, unanswered } from "../support/workers/provider";

const ok = () => new Response("ok");
const busy = (seconds: number) => () => new Response("", { status: 429, headers: { "Retry-After": String(seconds) } });

const stoppedClock: QueueClock = {
	now: () => 0,
	random: () => 0,
	sleep: async () => {},
	setAlarm() {},
	deleteAlarm() {},
};

const dingtalk = {
	type: "dingtalk",
	url: `https://oapi.dingtalk.com/robot/send?access_token=${"a1".repeat(32)}`,
} as const;

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

describe("a long wait", () => {
	it("queues the delivery, tells the caller, and ends it by the alarm", async () => {
		const world = provider(busy(120), ok);
		const team = await channel();
		const clock = await team.fastClock();
		const id = uuid7();
		expect(await team.deliver("hello", id)).toMatchObject({
			ok: false,
			status: "queued",
			retryAfterMs: 120_000,
			attempts: 1,
		});
		expect(await team.recorded(id)).toMatchObject({ status: "queued" });
		expect(await team.deliver("hello", id)).toMatchObject({ status: "queued" });
		expect(world.requests).toHaveLength(1);

		clock.now += 120_000;
		expect(await runDurableObjectAlarm(team.stub())).toBe(true);
		expect(world.requests).toHaveLength(2);
		expect(await team.recorded(id)).toMatchObject({ status: "delivered" });
		expect(await team.deliver("hello", id)).toMatchObject({ status: "delivered", attempts: 2 });
	});

	it("survives the process", async () => {
		const world = provider(busy(120), ok);
		const team = await channel();
		const clock = await team.fastClock();
		const ids = [uuid7(), uuid7()];
		for (const [index, id] of ids.entries())
			expect(await team.deliver(`n${index}`, id)).toMatchObject({ status: "queued" });
		await abortAllDurableObjects();
		await team.fastClock(clock.now + 119_000);
		await runDurableObjectAlarm(team.stub());
		expect(world.requests).toHaveLength(1);
		await evictDurableObject(team.stub());
		await team.fastClock(clock.now + 120_000);
		await runDurableObjectAlarm(team.stub());
		expect(world.requests.map(({ body }) => body)).toEqual([
			'{"content":"n0"}',
			'{"content":"n0"}',
			'{"content":"n1"}',
		]);
		for (const id of ids) expect(await team.recorded(id)).toMatchObject({ status: "delivered" });
	});

	it("parks a DingTalk robot for ten minutes after a penalty, whoever writes", async () => {
		const world = provider(
			() => json({ errcode: 130101, errmsg: "send too fast" }),
			() => json({ errcode: 0, errmsg: "ok" }),
		);
		const team = await channel(dingtalk);
		const clock = await team.fastClock();
		expect(await team.deliver("first")).toMatchObject({
			status: "queued",
			retryAfterMs: 600_000,
			providerCode: "130101",
		});
		clock.now += 300_000;
		expect(await team.deliver("second")).toMatchObject({ status: "queued", retryAfterMs: 300_000, attempts: 0 });
		expect(world.requests).toHaveLength(1);
		clock.now += 300_000;
		await runDurableObjectAlarm(team.stub());
		expect(world.requests.map(({ body }) => JSON.parse(body).text.content)).toEqual(["first", "first", "second"]);
	});

	it("stays parked in a new process, also after the delivery that met it has failed", async () => {
		const world = provider(() => json({ errcode: 130101, errmsg: "send too fast" }));
		const team = await channel(dingtalk);
		const clock = await team.fastClock();
		const id = uuid7();
		await team.deliver("first", id);
		for (const _ of [1, 2]) {
			clock.now += 600_000;
			await runDurableObjectAlarm(team.stub());
		}
		expect(await team.recorded(id)).toMatchObject({ status: "failed" });
		await evictDurableObject(team.stub());
		await team.fastClock(clock.now + 1000);
		expect(await team.deliver("second")).toMatchObject({ status: "queued", retryAfterMs: 599_000 });
		expect(world.requests).toHaveLength(3);
	});

	it("is not begun when the provider asks for more than an hour", async () => {
		provider(busy(86_400));
		const team = await channel();
		await team.fastClock();
		expect(await team.deliver("hello")).toMatchObject({ status: "failed", permanent: false, retryAfterMs: 86_400_000 });
	});
});

describe("a channel", () => {
	it("sends in order, spaced by its bucket", async () => {
		const world = provider(() => json({ errcode: 0, errmsg: "ok" }));
		const team = await channel(dingtalk);
		const clock = await team.fastClock();
		const contents = ["a", "b", "c", "d", "e"];
		const verdicts = await Promise.all(contents.map((content) => team.deliver(content)));
		expect(verdicts.map(({ status }) => status)).toEqual(contents.map(() => "delivered"));
		expect(world.requests.map(({ body }) => JSON.parse(body).text.content)).toEqual(contents);
		// A woken object has what ten seconds bring: two messages and a bit.
		expect(clock.slept.map((ms) => Math.round(ms / 100) / 10)).toEqual([3.8, 4.6, 4.6]);
	});

	it("lets callers go after a minute and sends the rest by the alarm", async () => {
		const world = provider(() => json({ errcode: 0, errmsg: "ok" }));
		const team = await channel(dingtalk);
		const clock = await team.fastClock();
		const ids = Array.from({ length: 20 }, () => uuid7());
		const verdicts = await Promise.all(ids.map((id) => team.deliver(id, id)));
		const sent = verdicts.filter(({ status }) => status === "delivered").length;
		expect(sent).toBeGreaterThan(10);
		expect(sent).toBeLessThan(17);
		expect(new Set(verdicts.map(({ status }) => status))).toEqual(new Set(["delivered", "queued"]));
		for (let alarms = 0; world.requests.length < ids.length; alarms++) {
			expect(alarms).toBeLessThan(12);
			clock.now += 5000;
			await runDurableObjectAlarm(team.stub());
		}
		expect(world.requests.map(({ body }) => JSON.parse(body).text.content)).toEqual(ids);
		for (const id of ids) expect(await team.recorded(id)).toMatchObject({ status: "delivered" });
	});

	it("turns away what its queue cannot hold", async () => {
		provider(busy(3000));
		const team = await channel();
		await team.fastClock();
		for (let index = 0; index < 100; index++) await team.deliver("hello");
		expect(await team.deliver("hello")).toMatchObject({ status: "failed", providerCode: "queue_full", attempts: 0 });
	});

	it("has no timer when nothing is left to do", async () => {
		provider(ok);
		const team = await channel();
		await team.deliver("hello");
		expect(await team.inside((_, { storage }) => storage.getAlarm())).toBe(null);
	});

	it("writes three rows for an ordinary delivery", async () => {
		provider(ok);
		const team = await channel();
		await team.deliver("warm up");
		const rows = await team.inside(async (object, { storage }) => {
			const exec = storage.sql.exec.bind(storage.sql);
			let written = 0;
			storage.sql.exec = (query, ...bindings) => {
				const cursor = exec(query, ...bindings);
				written += cursor.rowsWritten;
				return cursor as never;
			};
			await object.deliver(team.job("hello"));
			return written;
		});
		expect(rows).toBe(3);
	});

	it("forgets a delivery after a week, and not before", async () => {
		provider(ok);
		const team = await channel();
		const clock = await team.fastClock();
		const day = 86_400_000;
		for (const _ of [1, 2, 3]) {
			await team.deliver("hello");
			clock.now += 3 * day;
		}
		await team.deliver("hello");
		const count = await team.inside(
			(_, { storage }) => storage.sql.exec("SELECT count(*) AS n FROM deliveries").one().n,
		);
		expect(count).toBe(3);
	});

	it("follows a Telegram chat that has moved, for this delivery and the next", async () => {
		const moved = { ok: false, error_code: 400, description: "upgraded", parameters: { migrate_to_chat_id: -1009 } };
		const world = provider(
			() => json(moved, { status: 400 }),
			() => json({ ok: true, result: {} }),
		);
		const team = await channel({ type: "telegram", url: `123456789:${"A".repeat(35)}`, config: { chatId: "-1" } });
		expect(await team.deliver("one")).toMatchObject({
			ok: true,
			attempts: 2,
			providerMessage: expect.stringContaining("-1009"),
		});
		await evictDurableObject(team.stub());
		expect(await team.deliver("two")).toMatchObject({ ok: true, attempts: 1 });
		expect(world.requests.map(({ body }) => JSON.parse(body).chat_id)).toEqual(["-1", "-1009", "-1009"]);
	});
});

describe("what a channel must not do", () => {
	it.each([
		["webhook", "https://10.0.0.1/hook"],
		["webhook", "https://db.internal/hook"],
		["feishu", "https://hooks.example.com/open-apis/bot/v2/hook/x"],
	] as const)("send a %s to %s", async (type, url) => {
		const world = provider(ok);
		const team = await channel({ type, url });
		const id = uuid7();
		expect(await team.deliver("hello", id)).toMatchObject({
			status: "failed",
			providerCode: "url_refused",
			attempts: 0,
		});
		expect(world.requests).toEqual([]);
		expect(await team.recorded(id)).toMatchObject({ status: "failed" });
	});

	it("send to loopback where the deployment does not allow it", async () => {
		const world = provider(ok);
		const team = await channel({ url: "http://127.0.0.1:9/hook" });
		const verdict = await team.inside(async (_, { storage }) => {
			const strict = courier({ ...deploymentOf(env), allowLoopback: false }, fetch);
			return await new ChannelQueue(new ChannelStore(storage), strict, stoppedClock).deliver(team.job("hello"));
		});
		expect(verdict).toMatchObject({ status: "failed", providerCode: "url_refused" });
		expect(world.requests).toEqual([]);
	});

	it("follow a redirect", async () => {
		const world = provider(
			() => new Response(null, { status: 302, headers: { Location: "https://evil.example/steal" } }),
		);
		expect(await (await channel()).deliver("hello")).toMatchObject({ status: "failed", providerCode: "redirect" });
		expect(world.requests).toHaveLength(1);
	});

	it("show its address or secret, whoever quotes them", async () => {
		provider(
			({ url, headers }) =>
				new Response(`Bad ${url} by ${headers.get("X-Signature-256")} and s3cret-key`, { status: 400 }),
		);
		const team = await channel({ secret: "s3cret-key" });
		const id = uuid7();
		const verdict = await team.deliver(`see ${webhookUrl} (s3cret-key)`, id);
		const told = JSON.stringify(
			[verdict, await team.recorded(id), await team.row()].map((row) => ({ ...row, url: "", secret: "" })),
		);
		expect(told).toContain("[secret:channel");
		expect(told).not.toContain("s3cret-key");
		expect(told).not.toContain(new URL(webhookUrl).pathname);
	});

	it("keep its address in the clear", async () => {
		provider(busy(600));
		const team = await channel({ secret: "s3cret-key" });
		await team.deliver("hello");
		const stored = await team.inside((_, { storage }) =>
			JSON.stringify(storage.sql.exec("SELECT * FROM deliveries").toArray()),
		);
		expect(stored).toContain("hello");
		expect(stored).not.toMatch(/hooks\.example\.com|s3cret-key/);
	});

	it("send when its address does not open", async () => {
		const world = provider(ok);
		const team = await channel();
		const other = await channel();
		const job = { ...team.job("hello"), channel: { ...team.sealed, url: other.sealed.url } };
		expect(await team.stub().deliver(job)).toMatchObject({ status: "failed", providerCode: "misconfigured" });
		expect(world.requests).toEqual([]);
	});
});

describe("D1 that does not answer", () => {
	it("costs no verdict and no record", async () => {
		provider(ok);
		const log = capturedLog();
		const team = await channel();
		const id = uuid7();
		await env.DB.exec("ALTER TABLE notify_deliveries RENAME TO hidden");
		expect(await team.deliver("hello", id)).toMatchObject({ status: "delivered" });
		expect(log.join("\n")).toContain("delivery-unrecorded");
		expect(log.join("\n")).not.toContain("hello");
		await evictDurableObject(team.stub());
		await env.DB.exec("ALTER TABLE hidden RENAME TO notify_deliveries");
		expect(await runDurableObjectAlarm(team.stub())).toBe(true);
		expect(await team.recorded(id)).toMatchObject({ status: "delivered" });
		expect(await team.inside((_, { storage }) => storage.getAlarm())).toBe(null);
	});
});
