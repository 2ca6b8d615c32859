import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/lib/redact";
import { vendorError } from "../../src/llm/vendor-error";

const { redact } = createRedactor([{ name: "OPENAI_API_KEY", value: "very-secret-key" }]);
const errorOf = (payload: unknown, status?: number) =>
	vendorError({ vendor: "openai", status, payload, now: 0, redact });

describe("a vendor's complaint", () => {
	it("becomes one clean sentence with advice", () => {
		const error = errorOf(
			{ error: { message: "Incorrect API key provided: very-secret-key.\u0007\n\nSee  docs" } },
			401,
		);
		expect(error.message).toBe(
			"openai answered HTTP 401: Incorrect API key provided: [secret:OPENAI_API_KEY]. See docs. Check the key.",
		);
		expect(error).toMatchObject({ code: "unauthorized", status: 401, retryable: false });
	});

	it("is cut to 300 characters", () => {
		expect(errorOf({ error: { message: "x".repeat(5000) } }, 400).message).toBe(
			`openai answered HTTP 400: ${"x".repeat(300)}.`,
		);
	});

	it("says so when it comes inside an answer, or without words", () => {
		expect(errorOf({ error: { message: "Overloaded", type: "overloaded_error" } }).message).toBe(
			"openai failed within its answer: Overloaded.",
		);
		expect(errorOf("", 500).message).toBe("openai answered HTTP 500.");
	});

	it("shows what the provider behind a gateway said", () => {
		const error = { code: 429, message: "Provider returned error", metadata: { raw: "llama is busy" } };
		expect(errorOf({ error }, 429).message).toContain("Provider returned error: llama is busy.");
	});

	it.each([
		[{ error: { code: 503, message: "Loading model" } }, undefined, "overloaded"],
		[{ errors: [{ code: 3040, message: "Capacity temporarily exceeded" }] }, 429, "overloaded"],
		[{ errors: [{ code: 3036, message: "You have used up your daily free allocation" }] }, 429, "quota_exceeded"],
		[{ error: { message: "the request exceeds the available context size" } }, 400, "context_too_long"],
		[{ error: { type: "invalid_request_error", message: "Unknown parameter" } }, undefined, "invalid_request"],
		[{ message: "Unauthorized" }, 403, "unauthorized"],
		[[{ error: { code: 404, message: "models/gemini-9 is not found", status: "NOT_FOUND" } }], 404, "model_not_found"],
		[
			{ error: { message: "This request would exceed your limit of 30,000 input tokens per minute" } },
			429,
			"rate_limited",
		],
		[{ error: { code: "Throttling.RateQuota", message: "Slow down" } }, 429, "rate_limited"],
		[null, undefined, "bad_response"],
	])("reads %j with status %s as %s", (payload, status, code) => {
		expect(errorOf(payload, status).code).toBe(code);
	});
});
