import { describe, expect, it } from "vitest";
import { discord } from "../../src/notify/discord";
import { at, bodiesOf, longText, normalise, notice, target, verdictOn } from "../support/node/notice";

const url = `https://discord.com/api/webhooks/123456789012345678/${"t".repeat(68)}`;

describe("a Discord message", () => {
	it("waits for the outcome and mentions nobody", async () => {
		const channel = target("discord", `${url}?thread_id=42`);
		expect((await discord.request(channel, "x", notice("x"), at)).url).toBe(`${url}?thread_id=42&wait=true`);
		expect(await bodiesOf(channel, notice("hi @everyone <@1>", { title: "T" }))).toEqual([
			{ content: "T\n\nhi @\u200beveryone <\u200b@1>", allowed_mentions: { parse: [] } },
		]);
	});

	it("mentions where the channel allows it", async () => {
		const channel = target("discord", url, { config: { allowMentions: true } });
		expect(await bodiesOf(channel, notice("@everyone"))).toEqual([
			{ content: "@everyone", allowed_mentions: { parse: ["everyone", "users", "roles"] } },
		]);
	});

	it("fits 2,000 characters", () => {
		const parts = discord.split(notice(longText(9000)), {});
		expect(parts.length).toBeGreaterThan(4);
		for (const part of parts) expect(part.length).toBeLessThanOrEqual(2000);
	});
});

describe("a Discord answer", () => {
	it("delivers with the message that was made", () => {
		expect(verdictOn("discord", { id: "1", content: "x" }).ok).toBe(true);
	});

	it.each([
		[204, ""],
		[200, ""],
		[200, "<html></html>"],
		[200, { code: 0 }],
	])("does not deliver without it: %i %j", (status, body) => {
		expect(verdictOn("discord", body, { status })).toMatchObject({
			ok: false,
			providerCode: "unparseable",
			retryable: false,
		});
	});

	it.each([
		[400, 50035],
		[400, 50006],
		[401, 50027],
		[403, 50013],
		[404, 10015],
	])("says not to try again: %i %i", (status, code) => {
		expect(verdictOn("discord", { code, message: "no" }, { status })).toMatchObject({
			providerCode: String(code),
			retryable: false,
		});
	});

	it("waits as long as the body says, to the millisecond", () => {
		expect(
			verdictOn(
				"discord",
				{ message: "You are being rate limited.", retry_after: 1.337, global: false },
				{ status: 429 },
			),
		).toMatchObject({ retryable: true, retryAfterMs: 1337, providerCode: "http_429" });
	});

	it("tells a limit that may not be ours", () => {
		const verdict = verdictOn("discord", { message: "Limited.", retry_after: 65, global: true }, { status: 429 });
		expect(verdict).toMatchObject({ retryAfterMs: 65_000 });
		expect(verdict.providerMessage).toMatch(/shared with others/);
	});

	it("waits when the edge bans without JSON", () => {
		expect(verdictOn("discord", "error code: 1015", { status: 429, headers: { "Retry-After": "600" } })).toMatchObject({
			providerCode: "unparseable",
			retryable: true,
			retryAfterMs: 600_000,
		});
	});

	it("says to try again on a failure of its own", () => {
		expect(verdictOn("discord", { message: "500: Internal Server Error", code: 0 }, { status: 500 })).toMatchObject({
			providerCode: "http_500",
			retryable: true,
		});
	});
});

it("takes addresses of every version and host, and nothing else of Discord", () => {
	expect(normalise("discord", url)).toBe(url);
	const versioned = url.replace("discord.com/api", "canary.discord.com/api/v10");
	expect(normalise("discord", versioned)).toBe(versioned);
	expect(() => normalise("discord", "https://discord.com/channels/1/2")).toThrow(/^url: /);
});
