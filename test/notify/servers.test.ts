import { describe, expect, it } from "vitest";
import { notifiers } from "../../src/notify";
import type { PartVerdict } from "../../src/notify/notifier";
import { draftRequest, sendRequest } from "../../src/notify/send";
import type { ChannelConfig, ChannelType } from "../../src/shared/channel";
import { type BotAnswer, botServer } from "../support/node/bot-server";
import { notice, target } from "../support/node/notice";

interface Provider {
	readonly path: string;
	readonly secret?: string;
	readonly config?: ChannelConfig;
	readonly success: unknown;
	/** The provider's own ways to say no, and what each means for us. */
	readonly failures: readonly [answer: Exclude<BotAnswer, string>, verdict: Partial<PartVerdict>][];
}

const botToken = `123456789:${"A".repeat(35)}`;

const providers: Readonly<Record<ChannelType, Provider>> = {
	feishu: {
		path: "/open-apis/bot/v2/hook/9b1deb4d",
		secret: "demoFeishuSecret",
		success: { code: 0, msg: "success", data: {} },
		failures: [
			[
				{ body: { code: 19021, msg: "sign match fail or timestamp is not within one hour" } },
				{ providerCode: "19021" },
			],
			[{ body: { code: 19024, msg: "Key Words Not Found" } }, { providerCode: "19024" }],
			[{ body: { code: 11232, msg: "frequency limited" } }, { providerCode: "11232", retryable: true }],
			[
				{ status: 400, body: { code: 9499, msg: "Bad Request" } },
				{ providerCode: "9499", httpStatus: 400 },
			],
		],
	},
	wecom: {
		path: "/cgi-bin/webhook/send?key=693a91f6",
		success: { errcode: 0, errmsg: "ok" },
		failures: [
			[{ body: { errcode: 93000, errmsg: "invalid webhook url" } }, { providerCode: "93000" }],
			[
				{ body: { errcode: 45009, errmsg: "api freq out of limit" } },
				{ providerCode: "45009", retryAfterMs: 60_000, retryable: true },
			],
			[{ body: { errcode: 40058, errmsg: "exceed max length 4096" } }, { providerCode: "40058" }],
		],
	},
	dingtalk: {
		path: "/robot/send?access_token=a1b2",
		secret: "SECdemo0123456789",
		success: { errcode: 0, errmsg: "ok" },
		failures: [
			[{ body: { errcode: 310000, errmsg: "keywords not in content" } }, { providerCode: "310000" }],
			[
				{ body: { errcode: 130101, errmsg: "send too fast" } },
				{ providerCode: "130101", retryAfterMs: 600_000, retryable: true },
			],
			[{ body: { errcode: 460101, errmsg: "message too long, exceed 20000 bytes" } }, { providerCode: "460101" }],
		],
	},
	webhook: {
		path: "/hooks/team",
		secret: "key",
		success: "",
		failures: [
			[{ status: 401, body: "who are you" }, { providerCode: "http_401" }],
			[{ status: 410, body: "gone" }, { providerCode: "http_410" }],
			[
				{ status: 503, body: "", headers: { "Retry-After": "7" } },
				{ providerCode: "http_503", retryAfterMs: 7000, retryable: true },
			],
		],
	},
	slack: {
		path: "/services/T0/B0/x",
		success: "ok",
		failures: [
			[{ status: 400, body: "invalid_payload" }, { providerCode: "invalid_payload" }],
			[{ status: 403, body: "invalid_token" }, { providerCode: "invalid_token" }],
			[{ status: 404, body: "channel_not_found" }, { providerCode: "channel_not_found" }],
			[
				{ status: 500, body: "rollup_error" },
				{ providerCode: "rollup_error", retryable: true },
			],
		],
	},
	discord: {
		path: "/api/webhooks/1/x",
		success: { id: "1", content: "hello" },
		failures: [
			[{ status: 204, body: "" }, { providerCode: "unparseable" }],
			[{ status: 404, body: { code: 10015, message: "Unknown Webhook" } }, { providerCode: "10015" }],
			[{ status: 400, body: { code: 50035, message: "Invalid Form Body" } }, { providerCode: "50035" }],
			[
				{ status: 429, body: { message: "Slow.", retry_after: 0.5, global: false } },
				{ retryAfterMs: 500, retryable: true },
			],
		],
	},
	telegram: {
		path: `/bot${botToken}/sendMessage`,
		config: { chatId: "-1", msgtype: "markdown" },
		success: { ok: true, result: { message_id: 1 } },
		failures: [
			[
				{ status: 400, body: { ok: false, error_code: 400, description: "Bad Request: can't parse entities" } },
				{ providerCode: "400", resendAs: { plain: true } },
			],
			[{ status: 401, body: { ok: false, error_code: 401, description: "Unauthorized" } }, { providerCode: "401" }],
			[
				{ status: 429, body: { ok: false, error_code: 429, description: "Later", parameters: { retry_after: 3 } } },
				{ retryAfterMs: 3000, retryable: true },
			],
		],
	},
	pushover: {
		path: "/1/messages.json",
		secret: "a".repeat(30),
		config: { user: "u".repeat(30) },
		success: { status: 1, request: "r" },
		failures: [
			[{ status: 400, body: { status: 0, errors: ["token is invalid"] } }, { providerMessage: "token is invalid" }],
			[{ status: 429, body: { status: 0, errors: ["quota"] } }, { providerCode: "http_429" }],
			[
				{ status: 500, body: { status: 0, errors: [] } },
				{ retryAfterMs: 5000, retryable: true },
			],
		],
	},
};

const types = Object.keys(notifiers) as ChannelType[];

async function deliver(type: ChannelType, origin: string, timeoutMs = 5000) {
	const { path, secret, config = {} } = providers[type];
	const channel = target(type, origin + path, { secret, config });
	const [part = ""] = notifiers[type].split(notice("hello"), config);
	const draft = {
		target: channel,
		notice: notice("hello"),
		part,
		form: undefined,
		at: new Date(),
		allowLoopback: true,
	};
	const drafted = await draftRequest(draft);
	if ("refusal" in drafted) throw new Error(drafted.refusal);
	return await sendRequest(drafted.request, { type, fetch, redact: (text) => text, timeoutMs });
}

/** The verdict on an answer of a provider that really serves. */
async function verdictAfter(type: ChannelType, answer: BotAnswer): Promise<PartVerdict> {
	const outcome = await deliver(type, (await botServer(answer)).origin);
	if ("lost" in outcome) throw new Error(outcome.lost);
	return outcome.verdict;
}

describe.each(types)("a %s server", (type) => {
	const { path, success, failures } = providers[type];

	it("is posted one request and delivers", async () => {
		const server = await botServer({ body: success });
		expect(await deliver(type, server.origin)).toMatchObject({
			verdict: { ok: true, httpStatus: 200, retryable: false },
		});
		expect(server.requests).toHaveLength(1);
		const [request] = server.requests;
		expect(request).toMatchObject({ method: "POST", headers: { "user-agent": "oryx-edge" } });
		expect(request?.path.startsWith(path)).toBe(true);
		expect(request?.body).toContain("hello");
	});

	it.each(failures)("says no in its own way: %j", async (answer, verdict) => {
		expect(await verdictAfter(type, answer)).toMatchObject({ ok: false, retryable: false, ...verdict });
	});

	it.each([200, 403, 502])("has a firewall's page before it: %i", async (status) => {
		const verdict = await verdictAfter(type, { status, body: "<html><body>Access denied</body></html>" });
		expect(verdict).toMatchObject({ httpStatus: status });
		// Any 2xx of a free receiver is delivered.
		if (type === "webhook") expect(verdict.ok).toBe(status === 200);
		else expect(verdict).toMatchObject({ ok: false, providerCode: "unparseable", retryable: status === 502 });
		if (!verdict.ok) expect(verdict.providerMessage).toContain("Access denied");
	});

	it("says when to come again", async () => {
		const verdict = await verdictAfter(type, { status: 429, headers: { "Retry-After": "13" }, body: "slow down" });
		// Pushover wants no second try of what it refused.
		if (type === "pushover") expect(verdict).toMatchObject({ ok: false, retryable: false });
		else expect(verdict).toMatchObject({ ok: false, retryable: true, retryAfterMs: 13_000 });
	});

	it.each([301, 302, 307, 308])("is not followed elsewhere: %i", async (status) => {
		const other = await botServer({ body: success });
		const location = `${other.origin}/elsewhere?token=secret`;
		const verdict = await verdictAfter(type, { status, headers: { Location: location }, body: "" });
		expect(verdict).toMatchObject({ ok: false, httpStatus: status, providerCode: "redirect", retryable: false });
		expect(verdict.providerMessage).toContain(`${other.origin}/…`);
		expect(other.requests).toEqual([]);
	});

	it("is not waited for beyond the limit", async () => {
		const server = await botServer("hang");
		expect(await deliver(type, server.origin, 150)).toEqual({ lost: "No answer came within 0.15 s." });
		expect(server.requests).toHaveLength(1);
	});

	it.each(["drop", "half"] as const)("breaks off: %s", async (answer) => {
		const outcome = await deliver(type, (await botServer(answer)).origin);
		expect(outcome).toEqual({ lost: "The connection failed before an answer came." });
	});

	it("is not there", async () => {
		const server = await botServer({ body: success });
		await server.close();
		expect(await deliver(type, server.origin)).toEqual({ lost: "The connection failed before an answer came." });
	});
});

it("reads no more of an answer than it needs", async () => {
	const verdict = await verdictAfter("webhook", { status: 500, body: "x".repeat(5_000_000) });
	expect(verdict.providerMessage).toBe("x".repeat(200));
});
