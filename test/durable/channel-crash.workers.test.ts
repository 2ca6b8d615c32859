import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { uuid7 } from "../../src/lib/uuid7";
import { channel } from "../support/workers/channel";
import { provider } from "../support/workers/provider";

const content = "line of text\n".repeat(11_000);
const parts = 3;

/** Kills the object at its `fatal`-th look at the world, before or after the world has acted; counts its looks. */
async function dieAt(team: Awaited<ReturnType<typeof channel>>, fatal: number): Promise<{ looks: number }> {
	const count = { looks: 0 };
	const never = new Promise<never>(() => {});
	let now = Date.now();
	await team.inside(({ outside }, state) => {
		/** False from the death on; what then still runs must have no effect, as in a process that is gone. */
		const isAlive = () => {
			if (++count.looks === fatal) state.abort("killed by the test");
			return count.looks < fatal;
		};
		Object.assign(outside, {
			async fetch(url: string, init: RequestInit) {
				if (!isAlive()) return await never;
				// A real request is held until everything written before it is safe.
				await state.storage.sync();
				if (!isAlive()) return await never;
				const response = await fetch(url, init);
				return isAlive() ? response : await never;
			},
			now: () => {
				isAlive();
				return now;
			},
			random: () => {
				isAlive();
				return 0;
			},
			async sleep(ms: number) {
				if (!isAlive()) await never;
				now += ms;
			},
		});
	});
	return count;
}

it("sends no part twice and loses none in silence, wherever the process dies", async () => {
	const alive = await channel();
	provider(() => new Response("ok"));
	const life = await dieAt(alive, Number.POSITIVE_INFINITY);
	expect(await alive.deliver(content)).toMatchObject({ status: "delivered", partsDelivered: parts });
	expect(life.looks).toBeGreaterThan(15);

	const outcomes = new Set<string>();
	for (let fatal = 1; fatal <= life.looks; fatal++) {
		const world = provider(() => new Response("ok"));
		const team = await channel();
		const id = uuid7();
		await dieAt(team, fatal);
		await team.deliver(content, id).catch(() => undefined);
		await team.fastClock();
		await runDurableObjectAlarm(team.stub());
		const verdict = await team.deliver(content, id);

		const received = world.requests.map(({ headers }) => headers.get("X-Delivery-Id"));
		expect(new Set(received).size, `twice after death ${fatal}`).toBe(received.length);
		expect(["delivered", "unknown"]).toContain(verdict.status);
		if (verdict.ok) expect(received).toEqual([id, `${id}.2`, `${id}.3`]);
		expect(verdict.partsDelivered).toBeLessThanOrEqual(received.length);
		expect(await team.recorded(id)).toMatchObject({ status: verdict.status });
		outcomes.add(verdict.status);
	}
	expect(outcomes).toEqual(new Set(["delivered", "unknown"]));
});
