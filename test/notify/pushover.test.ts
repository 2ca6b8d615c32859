import { describe, expect, it } from "vitest";
import { pushover } from "../../src/notify/pushover";
import { codePoints } from "../../src/notify/units";
import { at, longText, normalise, notice, target, verdictOn } from "../support/node/notice";

const url = "https://api.pushover.net/1/messages.json";
const token = "a".repeat(30);
const config = { user: "u".repeat(30) };

async function formOf(over: object, message = notice("hi & bye")) {
	const channel = target("pushover", url, { secret: token, config: { ...config, ...over } });
	const request = await pushover.request(channel, message.content, message, at);
	expect(request.headers["Content-Type"]).toBe("application/x-www-form-urlencoded");
	expect(request.url).toBe(url);
	return Object.fromEntries(new URLSearchParams(request.body));
}

describe("a Pushover message", () => {
	it("is a form with token and user", async () => {
		expect(await formOf({})).toEqual({ token, user: config.user, message: "hi & bye", timestamp: "1700000000" });
	});

	it("carries what the channel sets, and a title of at most 250 characters", async () => {
		const form = await formOf(
			{ device: "phone", sound: "siren", priority: -2 },
			notice("x", { title: "👍".repeat(300) }),
		);
		expect(form).toMatchObject({ device: "phone", sound: "siren", priority: "-2", title: "👍".repeat(250) });
		expect(form).not.toHaveProperty("retry");
	});

	it("repeats and expires with priority 2", async () => {
		expect(await formOf({ priority: 2 })).toMatchObject({ priority: "2", retry: "60", expire: "3600" });
		expect(await formOf({ priority: 2, retry: 30, expire: 90 })).toMatchObject({ retry: "30", expire: "90" });
	});

	it("takes its token from the address where it stands there, and does not send it twice", async () => {
		const channel = target("pushover", `${url}?token=${token}`, { config });
		const request = await pushover.request(channel, "x", notice("x"), at);
		expect(request.url).toBe(url);
		expect(new URLSearchParams(request.body).get("token")).toBe(token);
	});

	it("fits 1,024 characters", () => {
		const parts = pushover.split(notice(`${"👍".repeat(1500)}\n${longText(2000)}`), config);
		expect(parts.length).toBeGreaterThan(3);
		for (const part of parts) expect(codePoints(part)).toBeLessThanOrEqual(1024);
		expect(codePoints(parts[0] ?? "")).toBeGreaterThan(1000);
	});
});

describe("a Pushover answer", () => {
	it("delivers with status 1 alone", () => {
		expect(verdictOn("pushover", { status: 1, request: "r" }).ok).toBe(true);
		expect(verdictOn("pushover", { status: 0, request: "r" }).ok).toBe(false);
		expect(verdictOn("pushover", "")).toMatchObject({ ok: false, providerCode: "unparseable" });
	});

	it("says what is wrong and never to try again below 500", () => {
		const body = { status: 0, user: "invalid", errors: ["user identifier is invalid", "token is invalid"] };
		expect(verdictOn("pushover", body, { status: 400 })).toEqual({
			ok: false,
			httpStatus: 400,
			providerCode: "http_400",
			providerMessage: "user identifier is invalid; token is invalid",
			retryable: false,
		});
	});

	it("knows the month's quota from a rate limit", () => {
		const verdict = verdictOn(
			"pushover",
			{ status: 0, errors: ["over quota"] },
			{ status: 429, headers: { "Retry-After": "9" } },
		);
		expect(verdict).toMatchObject({ retryable: false });
		expect(verdict).not.toHaveProperty("retryAfterMs");
		expect(verdict.providerMessage).toMatch(/this month/);
	});

	it("waits five seconds after a failure of its own", () => {
		expect(verdictOn("pushover", { status: 0 }, { status: 503 })).toMatchObject({
			retryable: true,
			retryAfterMs: 5000,
		});
	});
});

describe("a Pushover address", () => {
	it("is the endpoint with the token as the secret, or the bare token", () => {
		expect(normalise("pushover", url, config, token)).toBe(url);
		expect(normalise("pushover", token, config)).toBe(`${url}?token=${token}`);
	});

	it("is refused without a user or a token", () => {
		expect(() => normalise("pushover", url, {}, token)).toThrow(/^config\.user: /);
		expect(() => normalise("pushover", url, config)).toThrow(/^secret: /);
	});
});
