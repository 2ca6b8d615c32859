import { describe, expect, it } from "vitest";
import { utf8Length } from "../../src/lib/text";
import { wecom } from "../../src/notify/wecom";
import { bodiesOf, longText, normalise, notice, target, verdictOn } from "../support/node/notice";

const key = "693a91f6-7xxx-4bc4-97a0-0ec2sifa5aaa";
const url = `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${key}`;

describe("a WeCom message", () => {
	it("is a text of msgtype, without mention lists", async () => {
		expect(await bodiesOf(target("wecom", url), notice("content", { title: "Title" }))).toEqual([
			{ msgtype: "text", text: { content: "Title\n\ncontent" } },
		]);
	});

	it("mentions whom the text mentions where the channel allows it", async () => {
		const config = { allowMentions: true };
		expect(await bodiesOf(target("wecom", url, { config }), notice("@all @13800000000 wake up"))).toEqual([
			{
				msgtype: "text",
				text: {
					content: "@all @13800000000 wake up",
					mentioned_list: ["@all"],
					mentioned_mobile_list: ["13800000000"],
				},
			},
		]);
	});

	it("is markdown, and markdown_v2 when it has a table", async () => {
		const channel = target("wecom", url, { config: { msgtype: "markdown" } });
		expect(await bodiesOf(channel, notice("**bold**"))).toEqual([
			{ msgtype: "markdown", markdown: { content: "**bold**" } },
		]);
		const table = "| a |\n| --- |\n| 1 |";
		expect(await bodiesOf(channel, notice(table))).toEqual([
			{ msgtype: "markdown_v2", markdown_v2: { content: table } },
		]);
	});

	it.each([
		[{}, 2048],
		[{ msgtype: "text" }, 2048],
		[{ msgtype: "markdown" }, 4096],
	] as const)("fits the bytes of its form: %j", (config, limit) => {
		const parts = wecom.split(notice(longText(20_000)), config);
		expect(parts.length).toBeGreaterThan(5);
		for (const part of parts) expect(utf8Length(part)).toBeLessThanOrEqual(limit);
		expect(parts[0]).toMatch(/^\(1\/\d+\)\n/);
	});
});

describe("a WeCom answer", () => {
	it("delivers with errcode 0, also when it warns", () => {
		expect(verdictOn("wecom", { errcode: 0, errmsg: "ok" }).ok).toBe(true);
		expect(verdictOn("wecom", { errcode: 0, errmsg: "ok. Warning: wrong json format. " })).toMatchObject({
			ok: true,
			providerMessage: "ok. Warning: wrong json format.",
		});
	});

	it("says to try again when it is busy, and a minute later when there were too many", () => {
		expect(verdictOn("wecom", { errcode: -1, errmsg: "system busy" })).toMatchObject({ retryable: true });
		expect(verdictOn("wecom", { errcode: 45009, errmsg: "api freq out of limit" })).toMatchObject({
			ok: false,
			retryable: true,
			retryAfterMs: 60_000,
		});
	});

	it.each([93000, 40058, 40008, 44004, 45002, 12345])("says not to try again: %i", (errcode) => {
		expect(verdictOn("wecom", { errcode, errmsg: "no" })).toMatchObject({
			ok: false,
			providerCode: String(errcode),
			retryable: false,
		});
	});

	it("goes by the code, whatever the words", () => {
		expect(verdictOn("wecom", { errcode: 93000, errmsg: "ok" }).ok).toBe(false);
	});
});

describe("a WeCom address", () => {
	it.each([url, key, ` ${key} `])("is the whole URL or the bare key: %s", (pasted) => {
		expect(normalise("wecom", pasted)).toBe(url);
	});

	it.each(["https://qyapi.weixin.qq.com/cgi-bin/webhook/send", "https://qyapi.weixin.qq.com/?key=x", "two words"])(
		"is refused: %s",
		(pasted) => {
			expect(() => normalise("wecom", pasted)).toThrow(/^url: /);
		},
	);
});
