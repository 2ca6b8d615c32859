import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { uuid7 } from "../../src/lib/uuid7";
import { channel, dingtalk } from "../support/workers/channel";
import { capturedLog } from "../support/workers/console";
import { busy, json, ok, provider } from "../support/workers/provider";

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

	it("is not waited when the provider asks for more than an hour", async () => {
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
