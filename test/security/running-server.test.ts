import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiOf, type Call } from "../support/node/api-client";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";

let home: Home;
let oryx: OryxProcess;
let api: Call;

beforeAll(async () => {
	home = await makeHome();
	oryx = await startOryx(home);
	api = apiOf(home);
	await api("POST", "/agents", { name: "busy", provider: { name: "manual" }, tools: ["current_time"] });
}, 120_000);

afterAll(async () => {
	await oryx?.kill();
	home?.discard();
});

interface Answer {
	readonly status: number | undefined;
	readonly body: string;
}

/** A request as no decent client would send it. */
async function send(
	path: string,
	{ headers = {}, chunks = [], method = "POST" }: { headers?: object; chunks?: Iterable<string>; method?: string },
): Promise<Answer> {
	const sent = request(`${home.address}${path}`, { method, headers: { ...headers }, agent: false });
	// A server that has heard enough may close before the last byte.
	const answered = Promise.race([once(sent, "response"), once(sent, "error").then(([error]) => Promise.reject(error))]);
	answered.catch(() => {});
	for (const chunk of chunks) {
		if (sent.destroyed) break;
		if (!sent.write(chunk)) await Promise.race([once(sent, "drain"), once(sent, "close"), sleep(1_000)]);
	}
	sent.end();
	const [response] = (await answered) as [IncomingMessage];
	return { status: response.statusCode, body: await text(response) };
}

it("lets others in while a turn of thousands of calls goes, and the turn be cancelled", {
	timeout: 60_000,
}, async () => {
	const sessionId = "long-turn";
	const turn = api<{ status: string; toolCalls: unknown[] }>("POST", "/agents/busy/turns", {
		message: "/current_time\n".repeat(3_000),
		sessionId,
	});
	await sleep(200);
	const waits: number[] = [];
	for (let round = 0; round < 10; round++) {
		const startedAt = Date.now();
		await api("GET", "/agents");
		waits.push(Date.now() - startedAt);
	}
	expect(await api("GET", `/sessions/${sessionId}`)).toMatchObject({ status: "running" });
	expect(Math.max(...waits)).toBeLessThan(2_000);
	expect(await api("POST", `/sessions/${sessionId}/cancel`)).toEqual({ cancelled: 1 });
	expect(await turn).toMatchObject({ status: "cancelled" });
});

it("takes no body over its limit, nor one that hides its length", async () => {
	const headers = { authorization: `Bearer ${home.token}`, "content-type": "application/json" };
	const chunks = ['{"name":"', ...Array.from({ length: 20 }, () => "a".repeat(65_536)), '"}'];
	expect(await send("/api/v1/agents", { headers, chunks })).toMatchObject({
		status: 413,
		body: expect.stringContaining("1048576 bytes"),
	});
	const length = String(chunks.join("").length);
	expect(await send("/api/v1/agents", { headers: { ...headers, "content-length": length }, chunks })).toMatchObject({
		status: 413,
	});
});

it("takes one of two tokens for neither, and reads no header twice", async () => {
	const authorization = ["Bearer wrong", `Bearer ${home.token}`];
	for (const headers of [{ authorization }, { authorization: authorization.toReversed() }]) {
		expect((await send("/api/v1/me", { headers, method: "GET" })).status).toBe(401);
	}
});

it("writes to its log nothing that a caller chose but the method", async () => {
	const marks = ["query-mark", "path-mark", "header-mark", "body-mark"];
	await send("/api/v1/agents/path-mark?x=query-mark", {
		headers: {
			authorization: `Bearer ${home.token}`,
			"x-request-id": 'header-mark"}\t{',
			"content-type": "application/json",
		},
		chunks: ['{"name":"body-mark"'],
		method: "PUT",
	});
	await sleep(500);
	expect(oryx.output()).toContain('"route":"/api/v1/agents/:name"');
	for (const mark of marks) expect(oryx.output()).not.toContain(mark);
});
