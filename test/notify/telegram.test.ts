import { describe, expect, it } from "vitest";
import { telegram } from "../../src/notify/telegram";
import { at, bodiesOf, longText, normalise, notice, target, verdictOn } from "../support/node/notice";

const token = `123456789:${"A".repeat(35)}`;
const url = `https://api.telegram.org/bot${token}/sendMessage`;
const config = { chatId: "-100200", messageThreadId: 7, msgtype: "markdown" } as const;

describe("a Telegram message", () => {
	it("goes to its chat and topic, plain unless the channel says otherwise", async () => {
		expect(
			await bodiesOf(target("telegram", url, { config: { chatId: "@team" } }), notice("*x", { title: "T" })),
		).toEqual([{ chat_id: "@team", text: "T\n\n*x", link_preview_options: { is_disabled: true } }]);
		expect(await bodiesOf(target("telegram", url, { config }), notice("*x*"))).toEqual([
			{
				chat_id: "-100200",
				text: "*x*",
				parse_mode: "Markdown",
				message_thread_id: 7,
				link_preview_options: { is_disabled: true },
			},
		]);
	});

	it("is resent as the same text without entities, and to the chat's new id", async () => {
		const channel = target("telegram", url, { config });
		const plain = await telegram.request(channel, "*x", notice("*x"), at, { plain: true });
		expect(JSON.parse(plain.body)).not.toHaveProperty("parse_mode");
		expect(JSON.parse(plain.body)).toMatchObject({ text: "*x", chat_id: "-100200" });
		const moved = await telegram.request(channel, "*x", notice("*x"), at, { chatId: "-100999" });
		expect(JSON.parse(moved.body)).toMatchObject({ chat_id: "-100999", parse_mode: "Markdown" });
	});

	it("fits 4,096 UTF-16 units", () => {
		const parts = telegram.split(notice(longText(15_000)), config);
		expect(parts.length).toBeGreaterThan(3);
		for (const part of parts) expect(part.length).toBeLessThanOrEqual(4096);
	});
});

describe("a Telegram answer", () => {
	const refusal = (error_code: number, description: string, parameters?: object) =>
		verdictOn("telegram", { ok: false, error_code, description, parameters }, { status: error_code });

	it("delivers with ok alone", () => {
		expect(verdictOn("telegram", { ok: true, result: { message_id: 1 } }).ok).toBe(true);
		expect(verdictOn("telegram", { result: {} })).toMatchObject({ ok: false, providerCode: "unparseable" });
		expect(verdictOn("telegram", { ok: false, description: "no" })).toMatchObject({ ok: false, providerCode: "200" });
	});

	it("waits as long as it is told", () => {
		expect(refusal(429, "Too Many Requests: retry after 35", { retry_after: 35 })).toMatchObject({
			retryable: true,
			retryAfterMs: 35_000,
		});
	});

	it("asks for the plain form when entities do not parse", () => {
		expect(refusal(400, "Bad Request: can't parse entities: Can't find end of Bold at byte offset 2")).toMatchObject({
			retryable: false,
			resendAs: { plain: true },
		});
	});

	it("asks for the new id of a chat that moved, whole though it is a large number", () => {
		expect(refusal(400, "Bad Request: group chat was upgraded", { migrate_to_chat_id: -1001234567890 })).toMatchObject({
			resendAs: { chatId: "-1001234567890" },
		});
	});

	it.each([
		[400, "Bad Request: chat not found", /config\.chatId/],
		[401, "Unauthorized", /token/],
		[403, "Forbidden: bot was kicked from the group chat", /let it into the chat/],
	])("says not to try again: %i %s", (code, description, hint) => {
		const verdict = refusal(code, description);
		expect(verdict).toMatchObject({ ok: false, providerCode: String(code), retryable: false });
		expect(verdict.providerMessage).toMatch(hint);
		expect(verdict).not.toHaveProperty("resendAs");
	});

	it("says to try again on a failure of its own", () => {
		expect(refusal(502, "Bad Gateway").retryable).toBe(true);
	});
});

describe("a Telegram address", () => {
	it.each([token, `https://api.telegram.org/bot${token}`, `https://api.telegram.org/bot${token}/`, url])(
		"is the bot's URL or its bare token: %s",
		(pasted) => {
			expect(normalise("telegram", pasted, config)).toBe(url);
		},
	);

	it("is refused without a chat or with a token cut short", () => {
		expect(() => normalise("telegram", token)).toThrow(/^config\.chatId: /);
		expect(() => normalise("telegram", "https://api.telegram.org/bot123:abc", config)).toThrow(/^url: /);
	});
});
