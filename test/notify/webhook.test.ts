import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { utf8Length } from "../../src/lib/text";
import { webhook } from "../../src/notify/webhook";
import { at, bodiesOf, longText, normalise, notice, target, verdictOn } from "../support/node/notice";

const url = "https://hooks.example.com/team";
const message = notice("content", { title: "Title", agent: "reporter", sessionId: "s-1" });

describe("a webhook's message", () => {
	it("is content alone", async () => {
		expect(await bodiesOf(target("webhook", url), notice("content"))).toEqual([{ content: "content" }]);
		expect(await bodiesOf(target("webhook", url), message)).toEqual([{ content: "Title\n\ncontent" }]);
	});

	it("has every field where the channel says so", async () => {
		expect(await bodiesOf(target("webhook", url, { config: { body: "full" } }), message)).toEqual([
			{
				content: "content",
				title: "Title",
				agent: "reporter",
				session: "s-1",
				timestamp: "2023-11-14T22:13:20.000Z",
				deliveryId: "d-1",
			},
		]);
	});

	it("tells its delivery id in a header, whatever the id", async () => {
		const { headers } = await webhook.request(target("webhook", url), "x", notice("x", { deliveryId: "d 1\n报" }), at);
		expect(headers["X-Delivery-Id"]).toBe("d%201%0A%E6%8A%A5");
		expect(headers).not.toHaveProperty("X-Timestamp");
	});

	it.each([
		[{}, "X-Signature-256"],
		[{ signatureHeader: "X-PRX-Signature" }, "X-PRX-Signature"],
	] as const)("is signed over the raw body where there is a secret: %j", async (config, header) => {
		const { headers, body } = await webhook.request(
			target("webhook", url, { secret: "key", config }),
			"报告",
			message,
			at,
		);
		expect(headers).toMatchObject({
			[header]: `sha256=${createHmac("sha256", "key").update(body).digest("hex")}`,
			"X-Timestamp": "1700000000",
		});
	});

	it.each([{}, { body: "full" }] as const)("fits 64 KiB: %j", async (config) => {
		const long = { ...message, content: longText(150_000) };
		const parts = webhook.split(long, config);
		expect(parts.length).toBeGreaterThan(2);
		for (const part of parts) {
			const { body } = await webhook.request(target("webhook", url, { config }), part, long, at);
			expect(utf8Length(body)).toBeLessThanOrEqual(65_536);
		}
	});
});

describe("a webhook's answer", () => {
	it.each([200, 201, 202, 204, 299])("delivers: %i", (status) => {
		expect(verdictOn("webhook", "<html>whatever</html>", { status }).ok).toBe(true);
	});

	it.each([400, 401, 404, 410, 413])("says not to try again: %i", (status) => {
		expect(verdictOn("webhook", "no", { status })).toMatchObject({ providerCode: `http_${status}`, retryable: false });
	});

	it.each([429, 500, 503])("says to try again: %i", (status) => {
		expect(verdictOn("webhook", "", { status })).toMatchObject({ providerCode: `http_${status}`, retryable: true });
	});

	it("waits until the date it is told, by the answer's own clock", () => {
		const headers = { Date: "Tue, 14 Nov 2023 22:13:20 GMT", "Retry-After": "Tue, 14 Nov 2023 22:14:05 GMT" };
		expect(verdictOn("webhook", "", { status: 503, headers }).retryAfterMs).toBe(45_000);
		expect(verdictOn("webhook", "", { status: 503, headers: { "Retry-After": "soon" } })).not.toHaveProperty(
			"retryAfterMs",
		);
	});

	it("is shown without control characters, on one line", () => {
		expect(verdictOn("webhook", "bad\u001b[31m\r\nnews\u202e", { status: 400 }).providerMessage).toBe("bad[31m news");
	});
});

it("takes any address, without its fragment", () => {
	expect(normalise("webhook", `${url}#x`)).toBe(url);
	expect(() => normalise("webhook", "hooks.example.com/team")).toThrow(/^url: paste the whole address/);
});
