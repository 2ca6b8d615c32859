import { describe, expect, it } from "vitest";
import { utf8Length } from "../../src/lib/text";
import { feishu } from "../../src/notify/feishu";
import { at, bodiesOf, longText, normalise, notice, target, verdictOn } from "../support/node/notice";

const url = "https://open.feishu.cn/open-apis/bot/v2/hook/9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";
const on = (body: unknown, answer?: Parameters<typeof verdictOn>[2]) => verdictOn("feishu", body, answer);

describe("a Feishu message", () => {
	it("is a text with the title above", async () => {
		expect(await bodiesOf(target("feishu", url), notice("content", { title: "Title" }))).toEqual([
			{ msg_type: "text", content: { text: "Title\n\ncontent" } },
		]);
	});

	it("carries time and signature in the body", async () => {
		expect(await bodiesOf(target("feishu", url, { secret: "demoFeishuSecret" }), notice("hi"))).toEqual([
			{
				timestamp: "1700000000",
				sign: "2vg3HjBNqw0mZFpBn09APUCnV0tTJf8rEe3ke9gLJPw=",
				msg_type: "text",
				content: { text: "hi" },
			},
		]);
	});

	it("is a card where the channel says so, and a text again with more tables than a card takes", async () => {
		const config = { msgtype: "interactive" } as const;
		const table = "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n";
		const card = (content: string) => ({ msg_type: "interactive", card: { elements: [{ tag: "markdown", content }] } });
		expect(await bodiesOf(target("feishu", url, { config }), notice("> **bold** & more"))).toEqual([
			card("> **bold** & more"),
		]);
		expect(await bodiesOf(target("feishu", url, { config }), notice(table.repeat(5)))).toEqual([card(table.repeat(5))]);
		expect(await bodiesOf(target("feishu", url, { config }), notice(table.repeat(6)))).toEqual([
			{ msg_type: "text", content: { text: table.repeat(6) } },
		]);
	});

	it("has its title in a card's header", async () => {
		const [body] = await bodiesOf(
			target("feishu", url, { config: { msgtype: "markdown" } }),
			notice("x", { title: "T" }),
		);
		expect(body).toMatchObject({ card: { header: { title: { tag: "plain_text", content: "T" } } } });
	});

	it("escapes tags unless mentions are allowed", () => {
		const text = 'a < b & <at user_id="all">all</at>';
		expect(feishu.split(notice(text), {})).toEqual([
			'a &lt; b &amp; &lt;\u200bat user_id="all"&gt;all&lt;\u200b/at&gt;',
		]);
		expect(feishu.split(notice(text), { allowMentions: true })).toEqual([text]);
		expect(feishu.split(notice(text), { msgtype: "interactive" })[0]).toContain('<\u200bat user_id="all">');
	});

	it("begins with the keyword where it lacks it", () => {
		expect(feishu.split(notice("disk full"), { keyword: "ALERT" })).toEqual(["ALERT\ndisk full"]);
		expect(feishu.split(notice("ALERT: disk full"), { keyword: "ALERT" })).toEqual(["ALERT: disk full"]);
	});

	it.each([{}, { msgtype: "interactive" }, { keyword: "警报" }, { allowMentions: true }] as const)(
		"fits 20,000 bytes with all around it: %j",
		async (config) => {
			const channel = target("feishu", url, { secret: "s", config });
			const message = notice(longText(60_000), { title: "标题".repeat(40) });
			const parts = feishu.split(message, config);
			expect(parts.length).toBeGreaterThan(2);
			for (const part of parts) {
				const { body } = await feishu.request(channel, part, message, at);
				expect(utf8Length(body)).toBeLessThanOrEqual(20_000);
			}
		},
	);
});

describe("a Feishu answer", () => {
	it.each([
		{ code: 0, msg: "success", data: {} },
		{ code: 0, msg: "success", StatusCode: 0, StatusMessage: "success" },
		{ StatusCode: 0, StatusMessage: "success" },
		{ Extra: null, StatusCode: 0, StatusMessage: "success" },
	])("delivers: %j", (body) => {
		expect(on(body)).toEqual({
			ok: true,
			httpStatus: 200,
			providerCode: "0",
			providerMessage: "success",
			retryable: false,
		});
	});

	it("takes the code's word against the older name's", () => {
		expect(on({ code: 19021, msg: "sign match fail", StatusCode: 0 })).toMatchObject({
			ok: false,
			providerCode: "19021",
		});
	});

	it("does not deliver by code 0 under another status", () => {
		expect(on({ code: 0, msg: "success" }, { status: 500 })).toMatchObject({ ok: false, retryable: true });
	});

	it.each([11232, 2200])("says to try again: %i", (code) => {
		expect(on({ code, msg: "frequency limited" })).toMatchObject({
			ok: false,
			providerCode: String(code),
			retryable: true,
		});
	});

	it.each([9499, 19001, 19002, 19021, 19022, 19024, 19036, 77777])("says not to try again: %i", (code) => {
		expect(on({ code, msg: "no" })).toMatchObject({ ok: false, providerCode: String(code), retryable: false });
	});

	it("says to try again on 9499 only when it means too many", () => {
		expect(on({ code: 9499, msg: "too many request" }).retryable).toBe(true);
	});

	it("tells what to do about the address list, the clock and the keyword", () => {
		expect(on({ code: 19022, msg: "Ip Not Allowed" }).providerMessage).toMatch(/no fixed address/);
		expect(on({ code: 19021, msg: "sign match fail" }).providerMessage).toMatch(/sign match fail .*clock/);
		expect(on({ code: 19024, msg: "Key Words Not Found" }).providerMessage).toMatch(/config\.keyword/);
	});

	it.each(["<html><body>blocked</body></html>", "", "{}", "[]", '{"code":', "null", '{"ok":true}'])(
		"is unparseable: %j",
		(body) => {
			expect(on(body)).toMatchObject({ ok: false, providerCode: "unparseable", retryable: false });
		},
	);
});

describe("a Feishu address", () => {
	it.each([url, url.replace("open.feishu.cn", "open.larksuite.com"), `  ${url}\n`])("is taken: %s", (address) => {
		expect(normalise("feishu", address)).toBe(address.trim());
	});

	it.each(["9b1deb4d", "https://open.feishu.cn/", "https://open.feishu.cn/open-apis/bot/v2/hook/"])(
		"is refused: %s",
		(address) => {
			expect(() => normalise("feishu", address)).toThrow(
				/^url: .*https:\/\/open\.feishu\.cn\/open-apis\/bot\/v2\/hook\//,
			);
		},
	);

	it("may have another path at a gateway", () => {
		expect(normalise("feishu", "https://gateway.example.com/feishu")).toBe("https://gateway.example.com/feishu");
	});
});
