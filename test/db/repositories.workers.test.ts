import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { connect } from "../../src/db/client";
import { claimKey } from "../../src/db/idempotency-keys";
import { insertLlmCalls } from "../../src/db/llm-calls";
import { appendMemory, searchMemories } from "../../src/db/memories";
import { deleteSession, findSession, listSessions, upsertSession } from "../../src/db/sessions";
import { getInvocation } from "../../src/db/tool-invocations";
import { uuid7 } from "../../src/lib/uuid7";
import { invocation, store } from "../support/workers/invocations";

const db = connect(env.DB);

describe("an invocation", () => {
	const intent = invocation("2026-01-01T00:00:00Z", { success: null, resultJson: null, durationMs: null });
	const outcome = {
		...intent,
		success: false,
		resultJson: "{}",
		durationMs: 9,
		code: "upstream",
		errorMessage: "It failed.",
	};

	it("is overwritten by its outcome, and never by its intent again", async () => {
		await store([intent]);
		expect(await getInvocation(db, intent.id)).toEqual(intent);
		await store([outcome]);
		await store([intent]);
		expect(await getInvocation(db, intent.id)).toEqual(outcome);
	});

	it("is written with many others at once", async () => {
		const many = Array.from({ length: 33 }, () => invocation("2026-01-02T00:00:00Z", { agent: "many" }));
		await store(many);
		await store(many);
		const count = await env.DB.prepare("SELECT count(*) AS n FROM tool_invocations WHERE agent = 'many'").first("n");
		expect(count).toBe(33);
	});

	it("of none is no write", async () => {
		await expect(store([])).resolves.toBeUndefined();
		await expect(insertLlmCalls(db, [])).resolves.toBeUndefined();
	});
});

describe("an idempotency key", () => {
	const claim = (turnId: string, over = {}) => ({
		principal: "admin",
		key: "key-1",
		bodyDigest: "digest-1",
		turnId,
		createdAt: new Date(1),
		...over,
	});

	it("is won by one of many at once", async () => {
		const turnIds = Array.from({ length: 10 }, (_, at) => `turn-${at}`);
		const standing = await Promise.all(turnIds.map((turnId) => claimKey(db, claim(turnId))));
		expect(new Set(standing.map(({ turnId }) => turnId)).size).toBe(1);
	});

	it("tells the request it was first used for", async () => {
		const standing = await claimKey(db, claim("later", { bodyDigest: "digest-2" }));
		expect(standing).toMatchObject({ bodyDigest: "digest-1" });
	});

	it("belongs to its principal", async () => {
		expect(await claimKey(db, claim("theirs", { principal: "somebody" }))).toMatchObject({ turnId: "theirs" });
	});

	it("is free again after two days", async () => {
		const day = 86_400_000;
		await claimKey(db, claim("old", { key: "old", createdAt: new Date(64 * day) }));
		await claimKey(db, claim("young", { key: "young", createdAt: new Date(65.5 * day) }));
		await claimKey(db, claim("now", { key: "now", createdAt: new Date(Math.ceil((66.5 * day) / 64) * 64) }));
		expect(await claimKey(db, claim("again", { key: "old" }))).toMatchObject({ turnId: "again" });
		expect(await claimKey(db, claim("again", { key: "young" }))).toMatchObject({ turnId: "young" });
	});
});

describe("a memory", () => {
	const entry = (content: string, over = {}) => ({
		id: uuid7(),
		agent: "ops",
		principal: "admin",
		category: "core",
		key: null,
		content,
		createdAt: new Date(),
		...over,
	});
	const contents = async (over = {}) =>
		(await searchMemories(db, { agent: "ops", limit: 10, ...over })).map(({ content }) => content);

	it("is written once for an id", async () => {
		const once = entry("Deploys happen on Tuesday.");
		await appendMemory(db, once);
		await appendMemory(db, { ...once, content: "Deploys happen on Friday." });
		expect(await contents()).toEqual(["Deploys happen on Tuesday."]);
	});

	it("is found by what it holds, taken as plain text", async () => {
		await appendMemory(db, entry("100% of disks_are fine"));
		await appendMemory(db, entry("另一个记忆", { category: "archival" }));
		await appendMemory(db, entry("Tuesday too", { agent: "other" }));
		expect(await contents({ keyword: "TUESDAY" })).toEqual(["Deploys happen on Tuesday."]);
		expect(await contents({ keyword: "%" })).toEqual(["100% of disks_are fine"]);
		expect(await contents({ keyword: "disks_are" })).toEqual(["100% of disks_are fine"]);
		expect(await contents({ keyword: "disks?are" })).toEqual([]);
		expect(await contents({ keyword: "一个" })).toEqual(["另一个记忆"]);
		expect(await contents({ keyword: "x".repeat(60) })).toEqual([]);
		expect(await contents({ category: "archival" })).toEqual(["另一个记忆"]);
		expect(await contents({ limit: 1 })).toHaveLength(1);
	});
});

describe("the list of sessions", () => {
	const session = (id: string, used: string, over = {}) => ({
		id,
		agent: "ops",
		principal: "admin",
		title: "t",
		turns: 1,
		createdAt: new Date("2026-01-01T00:00:00Z"),
		updatedAt: new Date(used),
		...over,
	});
	const idsOf = async (over = {}) => (await listSessions(db, { limit: 10, ...over })).items.map(({ id }) => id);

	it("has the last used first, in pages that split no moment", async () => {
		await upsertSession(db, session("a", "2026-01-01T00:00:00Z"));
		await upsertSession(db, session("b", "2026-01-02T00:00:00Z"));
		await upsertSession(db, session("c", "2026-01-02T00:00:00Z"));
		await upsertSession(db, session("d", "2026-01-03T00:00:00Z", { principal: "somebody", agent: "other" }));
		expect(await idsOf()).toEqual(["d", "c", "b", "a"]);
		const first = await listSessions(db, { limit: 2 });
		expect(first.items.map(({ id }) => id)).toEqual(["d", "c"]);
		expect(await idsOf({ limit: 2, after: first.next })).toEqual(["b", "a"]);
		expect(await idsOf({ principal: "somebody" })).toEqual(["d"]);
		expect(await idsOf({ agent: "ops", principal: "admin" })).toEqual(["c", "b", "a"]);
	});

	it("follows what happens to a session", async () => {
		await upsertSession(
			db,
			session("a", "2026-01-04T00:00:00Z", { turns: 2, principal: "thief", createdAt: new Date() }),
		);
		expect(await findSession(db, "a")).toMatchObject({ turns: 2, principal: "admin" });
		expect((await idsOf())[0]).toBe("a");
		await deleteSession(db, "a");
		expect(await findSession(db, "a")).toBeUndefined();
	});
});
