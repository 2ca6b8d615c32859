import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { TurnView } from "../../src/agent/view";
import type { ChannelObject } from "../../src/durable/channel";
import { SessionObject } from "../../src/durable/session";
import { SessionStore } from "../../src/durable/session-store";
import { uuid7 } from "../../src/lib/uuid7";
import { call } from "../support/workers/api";
import { makeAgent, session } from "../support/workers/session";

/**
 * Stops the object at every point where it gives up control: before and after each change of its storage, each request
 * and each statement of D1. `at` counts those points; at the chosen one the incarnation dies as in a crash.
 */
const chaos = {
	at: 0,
	dieAt: new Set<number>(),
	live: undefined as DurableObjectState | undefined,
	/** How every incarnation reaches the world. */
	fetcher: undefined as typeof fetch | undefined,
	point() {
		this.at++;
		if (!this.dieAt.has(this.at)) return;
		this.live?.abort("chaos");
		throw new Error("chaos");
	},
};

/** The test's own look into D1, which is no point to die at. */
const { all } = Object.getPrototypeOf(env.DB.prepare("SELECT 1"));
async function query<Row>(statement: string, value: string): Promise<Row[]> {
	const { results } = await all.call(env.DB.prepare(statement).bind(value));
	return results;
}

beforeAll(() => {
	for (const name of ["addTurn", "updateTurn", "putStep", "addEvents", "setFlushed", "setRecoveries"] as const) {
		surround(SessionStore.prototype, name);
	}
	for (const name of ["start", "alarm", "result"] as const) {
		const method = SessionObject.prototype[name] as (...args: unknown[]) => unknown;
		Object.defineProperty(SessionObject.prototype, name, {
			value: function (this: { ctx: DurableObjectState; fetcher: unknown }, ...args: unknown[]) {
				chaos.live = this.ctx;
				if (chaos.fetcher) this.fetcher = chaos.fetcher;
				return method.apply(this, args);
			},
		});
	}
	surround(Object.getPrototypeOf(env.DB), "batch");
	const statement = Object.getPrototypeOf(env.DB.prepare("SELECT 1"));
	for (const name of ["run", "all", "raw"]) surround(statement, name);
});

function surround(target: object, name: string): void {
	const method: (...args: unknown[]) => unknown = Reflect.get(target, name);
	Object.defineProperty(target, name, {
		configurable: true,
		value: function (this: unknown, ...args: unknown[]) {
			chaos.point();
			const result = method.apply(this, args);
			if (!(result instanceof Promise)) {
				chaos.point();
				return result;
			}
			return result.then((value) => {
				chaos.point();
				return value;
			});
		},
	});
}

afterEach(() => {
	chaos.dieAt = new Set();
});

const lines = (channel: string) =>
	[
		"/current_time {}",
		`/notify {"channel":"${channel}","content":"first"}`,
		'/save_memory {"content":"a fact"}',
		'/http_get {"url":"https://example.com/page"}',
		'/json_extract {"json":"{\\"a\\":1}","path":"a"}',
		'/http_post {"url":"https://example.com/orders","body":{"n":1}}',
		'/recall_memory {"keyword":"fact"}',
		`/notify {"channel":"${channel}","content":"second"}`,
		'/http_get {"url":"https://unlisted.example.net/"}',
		"/current_time {}",
	].join("\n");

/** A world that counts what reaches it. */
async function world() {
	const channel = `chaos-${uuid7()}`;
	const received: string[] = [];
	const posted: string[] = [];
	await call("/api/v1/notify-channels", {
		body: { name: channel, type: "webhook", url: "https://hooks.example.com/in" },
	});
	await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "example.com" } });
	await runInDurableObject(env.CHANNEL.getByName(channel), (instance: ChannelObject) => {
		instance.outside.sleep = async () => undefined;
		instance.outside.fetch = async (_, init) => {
			received.push(JSON.parse(String(init.body)).content);
			return new Response("ok");
		};
	});
	const fetcher: typeof fetch = async (input, init) => {
		chaos.point();
		if (init?.method === "POST") posted.push(String(input));
		await Promise.resolve();
		chaos.point();
		return new Response("<h1>Page</h1>", { headers: { "content-type": "text/html" } });
	};
	return { channel, received, posted, fetcher };
}

/** Runs a turn of ten calls that dies at the given points; answers how it ended and what reached the world. */
async function runDyingAt(...dieAt: number[]) {
	chaos.dieAt = new Set();
	const agent = await makeAgent();
	const { channel, received, posted, fetcher } = await world();
	const own = session();
	const turnId = `${own.id}.${uuid7()}`;
	chaos.fetcher = fetcher;
	chaos.at = 0;
	chaos.dieAt = new Set(dieAt);
	await own.start(agent, lines(channel), turnId).catch(() => undefined);
	for (;;) {
		const view = await own.over(turnId).catch(() => undefined);
		if (view) return { view, received, posted, points: chaos.at, own };
		// The client of a request that died asks again; what goes on before that goes on by the alarm.
		await runDurableObjectAlarm(own.stub()).catch(() => undefined);
		await own.start(agent, lines(channel), turnId).catch(() => undefined);
	}
}

async function expectSound({
	view,
	received,
	posted,
}: {
	view: TurnView;
	received: string[];
	posted: string[];
}): Promise<void> {
	expect(view.status).toBe("completed");
	expect(view.toolCalls).toHaveLength(10);
	const codes = view.toolCalls.map(({ result }) => (result?.success ? "ok" : result?.code));
	expect(codes.filter((_, at) => at !== 5)).toEqual(["ok", "ok", "ok", "ok", "ok", "ok", "ok", "not_listed", "ok"]);
	// Each notification once; the order that may have been placed is never placed twice, and is said to be unknown.
	expect(received).toEqual(["first", "second"]);
	expect(posted.length).toBeLessThanOrEqual(1);
	expect(codes[5]).toBe(posted.length === 1 && codes[5] === "ok" ? "ok" : "interrupted");
	const rows = await auditOf(view.turnId);
	expect(rows.map(({ id }) => id).sort()).toEqual(view.toolCalls.map(({ id }) => id).sort());
	expect(rows.every(({ success }) => success !== null)).toBe(true);
	expect(await query("SELECT id FROM memories WHERE agent = ?", view.agent)).toHaveLength(1);
}

type AuditRow = { id: string; success: number | null };

async function auditOf(turnId: string): Promise<AuditRow[]> {
	for (;;) {
		const results = await query<AuditRow>("SELECT id, success FROM tool_invocations WHERE turn_id = ?", turnId);
		if (results.length >= 10) return results;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

describe("a turn of ten calls whose object dies", () => {
	it("is sound without a crash", async () => {
		const outcome = await runDyingAt();
		await expectSound(outcome);
		expect(outcome.points).toBeGreaterThan(60);
	});

	it("is sound wherever it is aborted", { timeout: 300_000 }, async () => {
		const { points } = await runDyingAt();
		for (let dieAt = 1; dieAt <= points; dieAt++) {
			try {
				await expectSound(await runDyingAt(dieAt));
			} catch (error) {
				throw new Error(`Aborted at point ${dieAt} of ${points}.`, { cause: error });
			}
		}
	});

	it("is sound when it dies again and again", { timeout: 300_000 }, async () => {
		const deaths = fc.uniqueArray(fc.integer({ min: 1, max: 120 }), { minLength: 2, maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(deaths, async (points) => await expectSound(await runDyingAt(...points))),
			{ numRuns: 25 },
		);
	});
});
