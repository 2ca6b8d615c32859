import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { bodySignature, dingtalkSignature, feishuSignature } from "../../src/notify/signature";

const at = new Date(1_700_000_000_000);

it("signs for Feishu with time and secret as the key of an empty message", async () => {
	expect(await feishuSignature("demoFeishuSecret", at)).toEqual({
		timestamp: "1700000000",
		sign: "2vg3HjBNqw0mZFpBn09APUCnV0tTJf8rEe3ke9gLJPw=",
	});
});

it("signs for DingTalk with the secret as the key of time and secret", async () => {
	expect(await dingtalkSignature("SECdemo0123456789", at)).toEqual({
		timestamp: "1700000000000",
		sign: "ww0uYz9hgC//la1LzHCxhiH8ja6t5XU0VlJXBRQKVAA=",
	});
});

it("signs a webhook over its raw body, in UTF-8", async () => {
	const body = '{"content":"报告"}';
	const expected = createHmac("sha256", "key").update(body).digest("hex");
	expect(await bodySignature("key", body)).toBe(`sha256=${expected}`);
});
