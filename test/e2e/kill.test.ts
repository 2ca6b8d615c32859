import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiOf, type Call } from "../support/node/api-client";
import { type LocalSite, openSite } from "../support/node/local-site";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";

/** How long the site takes over each answer, so that a kill can land inside a call. */
const siteDelayMs = 150;
/** The promise: unattended, counted from the restart. */
const resumeWithinMs = 30_000;

interface Result {
	readonly success: boolean;
	readonly code?: string;
	readonly errorMessage?: string;
}
interface ToolCall {
	readonly id: string;
	readonly name: string;
	readonly arguments: { readonly content?: string };
	readonly result: Result;
}
interface TurnView {
	readonly status: string;
	readonly toolCalls: readonly ToolCall[];
}
interface Message {
	readonly role: string;
	readonly toolCalls?: readonly { readonly id: string }[];
	readonly callId?: string;
}
interface AuditRow {
	readonly id: string;
	readonly toolName: string;
	readonly success: boolean | null;
	readonly code: string | null;
	readonly errorMessage: string | null;
}

/** Notices whose outcome a kill has hidden, over all tests. */
const unknownNotices: string[] = [];

let site: LocalSite;
let home: Home;
let oryx: OryxProcess;
let call: Call;

beforeAll(async () => {
	site = await openSite("<p>High water at 14:05.</p>", siteDelayMs);
	home = await makeHome();
	call = apiOf(home);
	oryx = await startOryx(home);
	await call("POST", "/notify-channels", { name: "crew", type: "webhook", url: `${site.address}/hook` });
	await call("POST", "/sandbox/whitelist/HTTP", { value: site.address });
	const tools = ["current_time", "http_get", "save_memory", "recall_memory", "notify"];
	await call("POST", "/agents", { name: "harbour", tools });
}, 120_000);

afterAll(async () => {
	await oryx?.kill();
	home?.discard();
	await site?.close();
});

/** Ten calls, six of which visit the site: two reads and four notices. */
function tenCalls(round: string): string {
	const read = (page: string) => `/http_get ${JSON.stringify({ url: `${site.address}/${round}/${page}` })}`;
	const notice = (text: string) => `/notify ${JSON.stringify({ channel: "crew", content: `${round} ${text}` })}`;
	const remember = (text: string) => `/save_memory ${JSON.stringify({ content: `${round} ${text}` })}`;
	return [
		"/current_time {}",
		read("first"),
		notice("one"),
		remember("one"),
		notice("two"),
		read("second"),
		notice("three"),
		remember("two"),
		notice("four"),
		"/current_time {}",
	].join("\n");
}

/** A moment within the turn: so many milliseconds after the site's n-th visit, or after the start for none. */
const moments = [
	{ visit: 0, afterMs: 30 },
	{ visit: 1, afterMs: 60 },
	{ visit: 1, afterMs: siteDelayMs + 2 },
	{ visit: 2, afterMs: 5 },
	{ visit: 2, afterMs: siteDelayMs + 5 },
	{ visit: 3, afterMs: 100 },
	{ visit: 4, afterMs: 60 },
	{ visit: 5, afterMs: siteDelayMs - 5 },
	{ visit: 6, afterMs: 1 },
	{ visit: 6, afterMs: siteDelayMs + 15 },
];

describe("a turn of ten tool calls whose whole process group is killed and started again", () => {
	it.each(moments)("ends completed, killed $afterMs ms after visit $visit", { timeout: 120_000 }, async (moment) => {
		const round = `round-${moment.visit}-${moment.afterMs}`;
		const { visits } = site;
		const before = visits.length;
		const turnId = await begin(round);
		await killAt(before, moment);
		await expectGoodEnd(round, turnId, await restart());
	});

	it("ends completed, killed three times", { timeout: 180_000 }, async () => {
		const before = site.visits.length;
		const turnId = await begin("thrice");
		let restartedAt = 0;
		for (const moment of [
			{ visit: 1, afterMs: 60 },
			{ visit: 3, afterMs: 60 },
			{ visit: 5, afterMs: siteDelayMs },
		]) {
			await killAt(before, moment);
			restartedAt = await restart();
		}
		await expectGoodEnd("thrice", turnId, restartedAt);
	});

	it("was killed inside deliveries, or the tests above prove nothing", () => {
		expect(unknownNotices.length).toBeGreaterThanOrEqual(3);
	});
});

async function begin(sessionId: string): Promise<string> {
	const turn = { message: tenCalls(sessionId), sessionId };
	const reply = await call<{ turnId: string }>("POST", "/agents/harbour/turns", turn, { Prefer: "respond-async" });
	return reply.turnId;
}

async function killAt(visitsBefore: number, { visit, afterMs }: { visit: number; afterMs: number }): Promise<void> {
	await site.waitForVisits(visitsBefore + visit);
	await sleep(afterMs);
	await oryx.kill();
}

/** Answers when it began. */
async function restart(): Promise<number> {
	const startedAt = Date.now();
	oryx = await startOryx(home);
	return startedAt;
}

async function expectGoodEnd(sessionId: string, turnId: string, restartedAt: number): Promise<void> {
	const audit = await auditOf(sessionId, restartedAt + resumeWithinMs);
	const view = await call<TurnView>("GET", `/turns/${turnId}`);
	expect(view.status).toBe("completed");
	expect(view.toolCalls).toHaveLength(10);
	expect(await unpairedCalls(sessionId)).toEqual([]);
	expect(audit).toHaveLength(10);
	for (const notice of view.toolCalls.filter(({ name }) => name === "notify")) expectOnce(notice, audit);
	expect(view.toolCalls.filter(({ name, result }) => name !== "notify" && !result.success)).toEqual([]);
	expect(await memoriesOf(sessionId)).toEqual([`${sessionId} one`, `${sessionId} two`]);
}

/** The audit of a session once it has ten ended rows, read from D1, so that nothing but its own alarm wakes the session. */
async function auditOf(sessionId: string, deadline: number): Promise<AuditRow[]> {
	for (;;) {
		const { items } = await call<{ items: AuditRow[] }>("GET", `/tool-invocations?session=${sessionId}`);
		if (items.filter(({ success }) => success !== null).length >= 10) return items;
		if (Date.now() > deadline) throw new Error(`The turn was not resumed in time; its audit: ${JSON.stringify(items)}`);
		await sleep(200);
	}
}

/** Ids of tool calls in the history that have not exactly one result. */
async function unpairedCalls(sessionId: string): Promise<string[]> {
	const { items: messages } = await call<{ items: Message[] }>("GET", `/sessions/${sessionId}/messages`);
	const asked = messages.flatMap(({ toolCalls }) => toolCalls?.map(({ id }) => id) ?? []);
	const answered = messages.flatMap(({ role, callId }) => (role === "tool" && callId ? [callId] : []));
	expect(asked).toHaveLength(10);
	return [...new Set([...asked, ...answered])].filter(
		(id) => asked.filter((other) => other === id).length !== 1 || answered.filter((other) => other === id).length !== 1,
	);
}

/** What the agent remembers of a session, sorted. */
async function memoriesOf(sessionId: string): Promise<string[]> {
	const request = { agent: "harbour", arguments: { keyword: `${sessionId} ` } };
	const { content } = await call<{ content: string }>("POST", "/tools/recall_memory/execute", request);
	return [...content.matchAll(new RegExp(`${sessionId} \\w+`, "g"))].map(([text]) => text).toSorted();
}

/** A notice arrives once where it is said to have arrived, and at most once where the outcome is said to be unknown. */
function expectOnce({ id, arguments: { content = "" }, result }: ToolCall, audit: readonly AuditRow[]): void {
	const arrived = site.visits.filter(({ body }) => body.includes(content)).length;
	const row = audit.find((candidate) => candidate.id === id);
	if (result.success) {
		expect({ content, arrived, audited: row?.success }).toEqual({ content, arrived: 1, audited: true });
		return;
	}
	unknownNotices.push(content);
	expect(arrived).toBeLessThanOrEqual(1);
	expect(result).toMatchObject({ code: row?.code, errorMessage: expect.stringContaining("unknown") });
	expect(row).toMatchObject({ success: false, errorMessage: expect.stringContaining("unknown") });
}
