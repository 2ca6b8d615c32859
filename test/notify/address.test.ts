import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/lib/redact";
import { notifiers } from "../../src/notify";
import { readAddress, refuseAddress } from "../../src/notify/address";
import { knownSecrets } from "../../src/notify/known-secrets";
import { showUrl } from "../../src/notify/show-url";
import type { ChannelConfig, ChannelType } from "../../src/shared/channel";
import { target } from "../support/node/notice";

const token = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";
const botToken = `123456789:${"A".repeat(35)}`;
const feishuUrl = `https://open.feishu.cn/open-apis/bot/v2/hook/${token}`;

const refusal = (type: ChannelType, url: string, config: ChannelConfig = {}, allowLoopback = false) =>
	refuseAddress({ type, url, config }, { allowLoopback });

describe("a channel's address", () => {
	it("belongs to its type", () => {
		expect(refusal("feishu", feishuUrl)).toBeUndefined();
		expect(refusal("slack", feishuUrl)).toBe(
			'open.feishu.cn is no host of slack (hooks.slack.com, hooks.slack-gov.com). For a gateway in front of it set config.allowHost to "open.feishu.cn".',
		);
		expect(refusal("feishu", "https://evil.example.com/open-apis/bot/v2/hook/x")).toMatch(/no host of feishu/);
		expect(refusal("feishu", "https://open.feishu.cn.example.com/x")).toMatch(/no host of feishu/);
	});

	it("may be a gateway that the channel names, on a port of its own", () => {
		expect(refusal("feishu", "https://gateway.example.com/x", { allowHost: "gateway.example.com" })).toBeUndefined();
		expect(
			refusal("feishu", "https://gateway.example.com:8443/x", { allowHost: "gateway.example.com:8443" }),
		).toBeUndefined();
		expect(refusal("feishu", "https://gateway.example.com:8443/x", { allowHost: "gateway.example.com" })).toBeDefined();
		expect(refusal("feishu", "https://other.example.com/x", { allowHost: "gateway.example.com" })).toMatch(/no host/);
	});

	it.each([
		"http://hooks.example.com/x",
		"https://10.0.0.1/x",
		"https://192.168.1.1/x",
		"https://169.254.169.254/latest",
		"https://[fd00::1]/x",
		"https://8.8.8.8/x",
		"https://2130706433/x",
		"https://user:pass@hooks.example.com/x",
		"https://db.internal/x",
		"ftp://hooks.example.com/x",
		"https://hooks.example.com:8443/x",
		"http://127.0.0.1:8080/x",
		"http://localhost/x",
	])("of a webhook is any public one, and not %s", (url) => {
		expect(refusal("webhook", "https://hooks.example.com/x")).toBeUndefined();
		expect(refusal("webhook", url)).toBeDefined();
	});

	it.each(["https://10.0.0.1/x", "http://localhost/x", "https://db.internal/x"])(
		"is not opened by allowHost: %s",
		(url) => {
			expect(refusal("feishu", url, { allowHost: new URL(url).hostname })).toBeDefined();
		},
	);

	it.each(Object.keys(notifiers) as ChannelType[])("of %s may be loopback in development alone", (type) => {
		expect(refusal(type, "http://127.0.0.1:8080/x", {}, true)).toBeUndefined();
		expect(refusal(type, "http://127.0.0.1:8080/x")).toBeDefined();
	});

	it("is stored whole and shown without its credential", () => {
		const channel = { type: "wecom", url: token, config: {}, secret: undefined } as const;
		expect(readAddress(channel, { allowLoopback: false })).toEqual({
			url: `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${token}`,
			urlShown: "https://qyapi.weixin.qq.com/…",
		});
	});

	it("is refused at saving with the field in front", () => {
		const channel = { type: "feishu", url: "https://10.0.0.1/x", config: {}, secret: undefined } as const;
		expect(() => readAddress(channel, { allowLoopback: false })).toThrow(/^url: 10\.0\.0\.1 is a private/);
		const misspelt = { ...channel, url: feishuUrl, config: { allowHost: "https://gateway.example.com/x" } };
		expect(() => readAddress(misspelt, { allowLoopback: false })).toThrow(/^config\.allowHost: /);
	});
});

it.each([
	[feishuUrl, "https://open.feishu.cn/…"],
	["http://127.0.0.1:8080/a?b=c", "http://127.0.0.1:8080/…"],
	["https://user:pass@host.example/x", "https://host.example/…"],
	["not a url", "…"],
])("shows %s as %s", (url, shown) => {
	expect(showUrl(url)).toBe(shown);
});

it.each([
	["feishu", feishuUrl, token],
	["wecom", `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${token}`, token],
	["dingtalk", `https://oapi.dingtalk.com/robot/send?access_token=${"a1".repeat(32)}`, "a1".repeat(32)],
	["slack", `https://hooks.slack.com/services/T0/B0/${"X".repeat(24)}`, "X".repeat(24)],
	["discord", `https://discord.com/api/webhooks/123456789012345678/${"t".repeat(68)}`, "t".repeat(68)],
	["telegram", `https://api.telegram.org/bot${botToken}/sendMessage`, botToken],
	["pushover", `https://api.pushover.net/1/messages.json?token=${"a".repeat(30)}`, "a".repeat(30)],
	["webhook", `https://hooks.example.com/team/${token}`, token],
] as const)("lets nothing through that gives access to a %s channel", (type, url, credential) => {
	const known = knownSecrets("team", target(type, url, { secret: "shh-its-secret", config: { user: "u".repeat(30) } }));
	const { redact } = createRedactor(known);
	const echo = `posting to ${url} failed: ${credential} / shh-its-secret / ${"u".repeat(30)} / ${encodeURIComponent(url)}`;
	const shown = redact(echo);
	for (const secret of [credential, "shh-its-secret", "u".repeat(30)]) expect(shown).not.toContain(secret);
	expect(redact("The message was too long for the webhook.")).toBe("The message was too long for the webhook.");
});
