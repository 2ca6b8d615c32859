import { describe, expect, it } from "vitest";
import { slack } from "../../src/notify/slack";
import { bodiesOf, longText, normalise, notice, target, verdictOn } from "../support/node/notice";

const url = "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX";

describe("a Slack message", () => {
	it("escapes what would be markup", async () => {
		expect(await bodiesOf(target("slack", url), notice("a < b & c > <!channel>", { title: "T" }))).toEqual([
			{ text: "T\n\na &lt; b &amp; c &gt; &lt;\u200b!channel&gt;", mrkdwn: false },
		]);
	});

	it("lets mentions through where the channel allows them, and nothing else", () => {
		expect(slack.split(notice("<!channel> <@U12345> <http://x|y> <!subteam^S1> &"), { allowMentions: true })).toEqual([
			"<!channel> <@U12345> &lt;http://x|y&gt; &lt;!subteam^S1&gt; &amp;",
		]);
	});

	it("is formatted where the channel says so", async () => {
		const [body] = await bodiesOf(target("slack", url, { config: { msgtype: "markdown" } }), notice("*x*"));
		expect(body).toMatchObject({ mrkdwn: true });
	});

	it.each([{}, { allowMentions: true }])("fits 40,000 characters once escaped: %j", (config) => {
		const parts = slack.split(notice(longText(100_000)), config);
		expect(parts.length).toBeGreaterThan(2);
		for (const part of parts) expect(part.length).toBeLessThanOrEqual(35_000);
		expect(parts.join("")).not.toMatch(/&(?!amp;|lt;|gt;)/);
	});
});

describe("a Slack answer", () => {
	it("delivers with the text ok", () => {
		expect(verdictOn("slack", "ok")).toEqual({ ok: true, httpStatus: 200, retryable: false });
	});

	it.each([
		[400, "invalid_payload"],
		[400, "user_not_found"],
		[400, "no_text"],
		[403, "action_prohibited"],
		[403, "invalid_token"],
		[404, "channel_not_found"],
		[404, "no_service"],
		[410, "channel_is_archived"],
	])("says not to try again: %i %s", (status, word) => {
		expect(verdictOn("slack", word, { status })).toMatchObject({ ok: false, providerCode: word, retryable: false });
	});

	it("says to try again on a failure of its own and on a rate limit", () => {
		expect(verdictOn("slack", "rollup_error", { status: 500 })).toMatchObject({
			providerCode: "rollup_error",
			retryable: true,
		});
		expect(verdictOn("slack", "rate_limited", { status: 429, headers: { "Retry-After": "30" } })).toMatchObject({
			retryable: true,
			retryAfterMs: 30_000,
		});
	});

	it.each(["", "<html>ok</html>", '{"ok":true}', "OK!"])("is unparseable: %j", (body) => {
		expect(verdictOn("slack", body)).toMatchObject({ ok: false, providerCode: "unparseable" });
	});

	it("does not deliver with ok under another status", () => {
		expect(verdictOn("slack", "ok", { status: 202 }).ok).toBe(false);
	});
});

it("takes an incoming webhook's address, not a workflow's", () => {
	expect(normalise("slack", url)).toBe(url);
	expect(() => normalise("slack", "https://hooks.slack.com/triggers/T0/1/abc")).toThrow(/hooks\.slack\.com\/services/);
});
