import { describe, expect, it } from "vitest";
import { utf8Length } from "../../src/lib/text";
import { dingtalk } from "../../src/notify/dingtalk";
import { at, bodiesOf, longText, normalise, notice, target, verdictOn } from "../support/node/notice";

const url = `https://oapi.dingtalk.com/robot/send?access_token=${"a1".repeat(32)}`;
const nobody = { atMobiles: [], atUserIds: [], isAtAll: false };

describe("a DingTalk address", () => {
	it("is signed anew each time from the stored one, and encoded once", async () => {
		const channel = target("dingtalk", url, { secret: "SECdemo0123456789" });
		const signed = `${url}&timestamp=1700000000000&sign=ww0uYz9hgC%2F%2Fla1LzHCxhiH8ja6t5XU0VlJXBRQKVAA%3D`;
		for (const _ of [1, 2, 3]) expect((await dingtalk.request(channel, "x", notice("x"), at)).url).toBe(signed);
		expect(channel.url).toBe(url);
		const grown = target("dingtalk", signed, { secret: "SECdemo0123456789" });
		expect((await dingtalk.request(grown, "x", notice("x"), at)).url).toBe(signed);
	});

	it("is stored without a signature that was pasted along", () => {
		expect(normalise("dingtalk", `${url}&timestamp=1&sign=abc`)).toBe(url);
	});

	it("is refused without a token", () => {
		expect(() => normalise("dingtalk", "https://oapi.dingtalk.com/robot/send")).toThrow(/access_token=<token>/);
	});
});

describe("a DingTalk message", () => {
	it("is a text whose block fits its msgtype", async () => {
		expect(await bodiesOf(target("dingtalk", url), notice("content", { title: "Title" }))).toEqual([
			{ msgtype: "text", text: { content: "Title\n\ncontent" }, at: nobody },
		]);
	});

	it("is markdown with a title that is never empty", async () => {
		const channel = target("dingtalk", url, { config: { msgtype: "markdown" } });
		expect(await bodiesOf(channel, notice("## Report\nbody"))).toEqual([
			{ msgtype: "markdown", markdown: { title: "Report", text: "## Report\nbody" }, at: nobody },
		]);
		const [blank] = await bodiesOf(channel, notice("\n"));
		expect(blank).toMatchObject({ markdown: { title: "Notice" } });
	});

	it("mentions whom the text mentions where the channel allows it", async () => {
		const channel = target("dingtalk", url, { config: { allowMentions: true } });
		const [body] = await bodiesOf(channel, notice("@所有人 @13800000000"));
		expect(body).toMatchObject({ at: { atMobiles: ["13800000000"], isAtAll: true } });
		const [quiet] = await bodiesOf(target("dingtalk", url), notice("@所有人 @13800000000"));
		expect(quiet).toMatchObject({ at: nobody });
	});

	it("has the keyword in every part", () => {
		const parts = dingtalk.split(notice(longText(50_000)), { keyword: "警报" });
		expect(parts.length).toBeGreaterThan(2);
		expect(parts.every((part) => part.startsWith("警报\n("))).toBe(true);
	});

	it.each([{}, { msgtype: "markdown" }, { allowMentions: true }] as const)(
		"fits 20,000 bytes with all around it: %j",
		async (config) => {
			const channel = target("dingtalk", url, { config });
			const message = notice("@13800000000 ".repeat(1000) + longText(50_000), { title: "标题".repeat(50) });
			for (const part of dingtalk.split(message, config)) {
				const { body } = await dingtalk.request(channel, part, message, at);
				expect(utf8Length(body)).toBeLessThanOrEqual(20_000);
			}
		},
	);
});

describe("a DingTalk answer", () => {
	it("delivers with errcode 0", () => {
		expect(verdictOn("dingtalk", { errcode: 0, errmsg: "ok" })).toEqual({
			ok: true,
			httpStatus: 200,
			providerCode: "0",
			providerMessage: "ok",
			retryable: false,
		});
	});

	it.each([130101, 410100, 90030])("parks the channel for ten minutes: %i", (errcode) => {
		expect(verdictOn("dingtalk", { errcode, errmsg: "send too fast, exceed 20 times per minute" })).toMatchObject({
			ok: false,
			retryable: true,
			retryAfterMs: 600_000,
		});
	});

	it("says to try again when it is busy", () => {
		expect(verdictOn("dingtalk", { errcode: -1, errmsg: "busy" }).retryable).toBe(true);
	});

	it.each([310000, 300001, 300005, 400101, 400102, 460101, 101002, 99])("says not to try again: %i", (errcode) => {
		expect(verdictOn("dingtalk", { errcode, errmsg: "no" })).toMatchObject({
			ok: false,
			providerCode: String(errcode),
			retryable: false,
		});
	});

	it("is unparseable when a firewall answers, with the first 200 characters of its page", () => {
		const page = `<!doctype html><html><body>${"blocked ".repeat(100)}</body></html>`;
		const verdict = verdictOn("dingtalk", page);
		expect(verdict).toMatchObject({ ok: false, providerCode: "unparseable", retryable: false });
		expect(verdict.providerMessage).toBe(page.slice(0, 200));
	});
});
