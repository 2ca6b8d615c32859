import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Courier, courier } from "../../src/durable/channel-courier";
import { ChannelQueue, type QueueClock } from "../../src/durable/channel-queue";
import { ChannelStore } from "../../src/durable/channel-store";
import { deploymentOf } from "../../src/durable/deployment";
import { uuid7 } from "../../src/lib/uuid7";
import { channel, webhookUrl } from "../support/workers/channel";
import { capturedLog } from "../support/workers/console";
import { busy, ok, provider } from "../support/workers/provider";

/** A queue over the channel's own storage that reaches the world as `over` says; its clock stands still. */
function queueOver(
	storage: DurableObjectStorage,
	over: (real: Courier) => Partial<Courier>,
	deployment = deploymentOf(env),
) {
	const alarms: number[] = [];
	const clock: QueueClock = {
		now: () => 0,
		random: () => 0,
		sleep: async () => {},
		setAlarm: (at) => void alarms.push(at),
		deleteAlarm() {},
	};
	const real = courier(deployment, (url, init) => fetch(url, init));
	return { alarms, queue: new ChannelQueue(new ChannelStore(storage), { ...real, ...over(real) }, clock) };
}

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
			const strict = { ...deploymentOf(env), allowLoopback: false };
			return await queueOver(storage, () => ({}), strict).queue.deliver(team.job("hello"));
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

describe("a channel whose", () => {
	it("record hangs answers all the same", async () => {
		provider(ok);
		const team = await channel();
		const hangs = () => ({ record: () => new Promise<never>(() => {}) });
		const verdict = await team.inside((_, { storage }) => queueOver(storage, hangs).queue.deliver(team.job("hello")));
		expect(verdict).toMatchObject({ status: "delivered" });
	});

	it("own code fails tells its callers, looks again later, and can go on", async () => {
		const world = provider(ok);
		const log = capturedLog();
		const team = await channel();
		const id = uuid7();
		await team.inside(async (_, { storage }) => {
			let faults = 1;
			const { queue, alarms } = queueOver(storage, ({ write }) => ({
				write: (...given) => (faults-- > 0 ? Promise.reject(new Error("A fault.")) : write(...given)),
			}));
			await expect(queue.deliver(team.job("hello", id))).rejects.toThrow("A fault.");
			expect(alarms).toEqual([300_000]);
			expect(log.join()).toContain("channel-queue-failed");
			expect(await queue.deliver(team.job("hello", id))).toMatchObject({ status: "delivered" });
		});
		expect(world.requests).toHaveLength(1);
	});
});
