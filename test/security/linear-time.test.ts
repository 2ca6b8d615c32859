import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/lib/redact";
import { secretPatterns } from "../../src/lib/redact-patterns";
import { spelledCalls } from "../../src/llm/manual-calls";
import { ModelError } from "../../src/llm/provider";
import { readModelStream } from "../../src/llm/read-model-stream";
import { blocksOf } from "../../src/notify/blocks";
import { notifiers } from "../../src/notify/index";
import { channelType } from "../../src/shared/channel";

/** What costs the square of its length takes minutes at these sizes; what does not, a few milliseconds. */
const patienceMs = 2_000;

async function timed(work: () => unknown): Promise<number> {
	const startedAt = performance.now();
	await work();
	return performance.now() - startedAt;
}

const filled = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

describe("hostile text of a megabyte", () => {
	const beginnings = [
		"-eyJaaaaaaaa",
		"eyJ-",
		"-eyJaaaaaaaa.",
		"://a",
		"?token",
		"&key=",
		"Bearer ",
		"bearer\t ",
		"/bot1",
		"-sk-a",
	];

	it.each([...beginnings, "hooks.slack.com/services/", "/api/webhooks/1/", "?a-token-", "oryx_-"])(
		"does not hold up the search for shapes of secrets: %j",
		async (unit) => {
			expect(await timed(() => secretPatterns.replace(filled(unit, 1_000_000)))).toBeLessThan(patienceMs);
		},
	);

	it("finds the token at the end of what looks like many beginnings of one", () => {
		const shown = secretPatterns.replace(`${filled("-eyJaaaaaaaa", 100_000)}-eyJhbGciOiJI.eyJzdWIiOiIx.sig end`);
		expect(shown).not.toContain("eyJzdWIiOiIx");
		expect(secretPatterns.replace("session-eyJhbGciOiJI.eyJzdWIiOiIx.sig end")).toBe("session-[redacted] end");
	});

	it("does not hold up the search for known values, however many begin alike", async () => {
		const address = (id: number) => `https://hooks.slack.com/services/T0000${id}/B0000${id}/${"k".repeat(24)}${id}`;
		const channels = Array.from({ length: 200 }, (_, id) => ({ name: `channel ${id}`, value: address(id) }));
		const { redactKnown } = createRedactor(channels);
		for (const unit of ["http", "https://hooks.slack.com/services/T0000", "aHR0"]) {
			expect(await timed(() => redactKnown(filled(unit, 1_000_000)))).toBeLessThan(patienceMs);
		}
		expect(redactKnown(`to ${address(7)} and ${address(77)}`)).toBe("to [secret:channel 7] and [secret:channel 77]");
	});
});

describe("a message of the longest length to the manual model", () => {
	it.each(["/a {\n", '/a {"\n', "/a {{\n", '/a {"x":{\n', "/a\n", "/a {}\n", "/a [\n", '/a {"b":"\\\n', "/a \n\n\n\n"])(
		"is read in its stride: %j",
		async (unit) => {
			expect(await timed(() => spelledCalls(filled(unit, 64_000)))).toBeLessThan(500);
		},
	);

	it("that is full of faults is answered with the first of them", () => {
		const { calls, problems } = spelledCalls("/a {\n".repeat(12_800));
		expect(calls).toEqual([]);
		expect(problems).toHaveLength(20);
	});

	it("ends unclosed JSON where the next call begins, and calls nothing", () => {
		const { problems } = spelledCalls('/notify {"content": "a\n/notify {"content": "b"}');
		expect(problems).toEqual(["What follows /notify is no valid JSON (line 1, column 21 of the message)."]);
	});
});

describe("a notice", () => {
	const units = ["\n", "-|-  ", "```\n```\n", "@all", "a", "é́"];

	it.each(channelType.options)("of the longest length is cut and written for %s in its stride", async (type) => {
		for (const unit of units) {
			const notice = { content: filled(unit, 100_000), deliveryId: "d" };
			const config = { msgtype: "markdown", keyword: "Notice", chatId: "1", user: "u" } as const;
			const target = { type, url: "https://gateway.example/hook", secret: "s", config };
			const took = await timed(async () => {
				for (const part of [...notifiers[type].split(notice, config), notice.content]) {
					await notifiers[type].request(target, part, notice, new Date(0));
				}
			});
			expect(took, JSON.stringify(unit)).toBeLessThan(patienceMs);
		}
	});

	it.each(["```\n```\n", "```\n~~~\n", "````\n```\n"])(
		"full of fences is cut apart in its stride: %j",
		async (unit) => {
			expect(await timed(() => blocksOf(filled(unit, 1_000_000)))).toBeLessThan(patienceMs);
		},
	);
});

describe("a model's endless stream", () => {
	const chat = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
	const calls = (...calls: object[]) => chat({ delta: { tool_calls: calls } });
	const usage = (id: number) => `data: ${JSON.stringify({ type: "message_delta", usage: { [`k${id}`]: id } })}\n\n`;
	const streams: readonly { of: string; dialect: "openai-chat" | "anthropic"; event: (id: number) => string }[] = [
		{
			of: "pieces of one call that never closes",
			dialect: "openai-chat",
			event: (id) => calls({ index: 0, function: { name: "t", arguments: id ? "{}" : "{{" } }),
		},
		{
			of: "pieces of one call that closed badly",
			dialect: "openai-chat",
			event: (id) => calls({ index: 0, function: { name: "t", arguments: id ? "{}" : "{}x" } }),
		},
		{
			of: "calls without end",
			dialect: "openai-chat",
			event: (id) => calls({ id: `c${id}`, function: { name: `t${id}`, arguments: "{}" } }),
		},
		{
			of: "new fields of a call",
			dialect: "openai-chat",
			event: (id) => calls({ index: 0, [`x${id}`]: 1, function: { name: "t", arguments: " " } }),
		},
		{
			of: "new fields of a message",
			dialect: "openai-chat",
			event: (id) => chat({ delta: { extra_content: { [`k${id}`]: 1 } } }),
		},
		{
			of: "pieces of thinking",
			dialect: "openai-chat",
			event: (id) => chat({ delta: { reasoning_details: [{ type: "reasoning.text", index: id, text: "x" }] } }),
		},
		{ of: "counts of tokens", dialect: "anthropic", event: usage },
	];

	it.each(streams)("of $of is read in its stride", async ({ dialect, event }) => {
		const text = Array.from({ length: 20_000 }, (_, id) => event(id)).join("");
		const body = new Blob([text]).stream();
		const took = await timed(async () => {
			try {
				for await (const _ of readModelStream(dialect, body, { vendor: "model", newId: () => "id" }));
			} catch (error) {
				expect(error).toBeInstanceOf(ModelError);
			}
		});
		expect(took).toBeLessThan(patienceMs);
	});
});
