import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelToolCall } from "../../src/llm/provider";
import { validHistory } from "../../src/llm/valid-history";

const call = (id: string, name = "now"): ModelToolCall => ({
	id,
	vendorId: id,
	name,
	arguments: "{}",
	input: { ok: true, value: {} },
});
const user = (content: string): ModelMessage => ({ role: "user", content });
const assistant = (content: string, ...ids: string[]): ModelMessage => ({
	role: "assistant",
	content,
	toolCalls: ids.map((id) => call(id)),
	reasoning: [],
});
const result = (callId: string, content = "noon"): ModelMessage => ({
	role: "tool",
	callId,
	name: "now",
	content,
	isError: false,
});
const unknown = (callId: string): ModelMessage => ({
	role: "tool",
	callId,
	name: "now",
	content: "interrupted: the outcome is unknown",
	isError: true,
});

describe("the repair of a conversation", () => {
	const valid = [
		user("Time?"),
		assistant("Let me see.", "a", "b"),
		result("a"),
		result("b"),
		assistant("Noon."),
		user("Thanks."),
	];

	it("leaves a valid one as it is", () => {
		expect(validHistory(valid)).toEqual({ system: "", messages: valid });
	});

	it("gives a call without a result one that is honest", () => {
		expect(validHistory([user("Time?"), assistant("", "a", "b"), result("b"), user("Well?")]).messages).toEqual([
			user("Time?"),
			assistant("", "a", "b"),
			unknown("a"),
			result("b"),
			user("Well?"),
		]);
	});

	it("moves results behind their calls, in the order of the calls, and drops doubles and orphans", () => {
		const messages = [
			user("Time?"),
			assistant("", "a", "b"),
			result("b"),
			user("Well?"),
			result("x"),
			result("a"),
			result("a", "later"),
		];
		expect(validHistory(messages).messages).toEqual([
			user("Time?"),
			assistant("", "a", "b"),
			result("a"),
			result("b"),
			user("Well?"),
		]);
	});

	it("drops a call whose id came before, and assistant messages that say nothing", () => {
		const messages = [
			user("Time?"),
			assistant("", "a"),
			result("a"),
			assistant("Again.", "a"),
			assistant(" "),
			user("Well?"),
		];
		expect(validHistory(messages).messages).toEqual([
			user("Time?"),
			assistant("", "a"),
			result("a"),
			assistant("Again."),
			user("Well?"),
		]);
	});

	it("joins neighbours of one role", () => {
		const messages = [user("One."), user("Two."), assistant("Three."), assistant("Four.", "a"), result("a")];
		expect(validHistory(messages).messages).toEqual([
			user("One.\n\nTwo."),
			assistant("Three.\n\nFour.", "a"),
			result("a"),
		]);
	});

	it("takes the system's words out and begins and ends with somebody else than the assistant", () => {
		const messages: ModelMessage[] = [
			{ role: "system", content: "Be kind." },
			assistant("Hello."),
			{ role: "system", content: "Be brief." },
		];
		expect(validHistory(messages)).toEqual({
			system: "Be kind.\n\nBe brief.",
			messages: [user("(Earlier messages are left out.)"), assistant("Hello."), user("Go on.")],
		});
	});

	it("gives an empty message words, which vendors demand", () => {
		expect(validHistory([user("Time?"), assistant("", "a"), result("a", "\n")]).messages.at(-1)).toEqual(
			result("a", "(no output)"),
		);
		expect(validHistory([user(" ")]).messages).toEqual([user("(empty)")]);
		expect(validHistory([]).messages).toEqual([user("(Earlier messages are left out.)")]);
	});
});

describe("any conversation, repaired", () => {
	const id = fc.constantFrom("a", "b", "c", "d", "e");
	const text = fc.constantFrom("", " ", "word");
	const message = fc.oneof(
		text.map(user),
		fc.tuple(text, fc.array(id, { maxLength: 3 })).map(([content, ids]) => assistant(content, ...ids)),
		id.map((callId) => result(callId)),
		text.map((content): ModelMessage => ({ role: "system", content })),
	);
	const conversations = fc.array(message, { maxLength: 12 });

	it("has exactly one result for each call, directly after it and in order", () => {
		fc.assert(
			fc.property(conversations, (messages) => {
				const repaired = validHistory(messages).messages;
				const answered = repaired.flatMap((current, index) => {
					if (current.role !== "assistant") return [];
					const ids = current.toolCalls.map((given) => given.id);
					const results = repaired.slice(index + 1, index + 1 + ids.length);
					expect(results.map((given) => (given.role === "tool" ? given.callId : given.role))).toEqual(ids);
					return ids;
				});
				expect(new Set(answered).size).toBe(answered.length);
				expect(repaired.filter(({ role }) => role === "tool")).toHaveLength(answered.length);
			}),
		);
	});

	it("takes turns, says something in each message, and neither begins nor ends with the assistant", () => {
		fc.assert(
			fc.property(conversations, (messages) => {
				const repaired = validHistory(messages).messages;
				expect(repaired[0]?.role).toBe("user");
				expect(repaired.at(-1)?.role).not.toBe("assistant");
				for (const [index, current] of repaired.entries()) {
					if (current.role === "user" || current.role === "assistant")
						expect(repaired[index + 1]?.role).not.toBe(current.role);
					const isCall = current.role === "assistant" && current.toolCalls.length > 0;
					expect(isCall || current.content.trim() !== "").toBe(true);
				}
			}),
		);
	});

	it("keeps every real result that has a call before it, and is not changed by a second repair", () => {
		fc.assert(
			fc.property(conversations, (messages) => {
				const repaired = validHistory(messages).messages;
				expect(validHistory(repaired).messages).toEqual(repaired);
				for (const current of repaired) {
					if (current.role !== "tool") continue;
					const cameLater = messages.findIndex(
						(given) => given.role === "assistant" && given.toolCalls.some((made) => made.id === current.callId),
					);
					const hasResult = messages
						.slice(cameLater)
						.some((given) => given.role === "tool" && given.callId === current.callId);
					expect(current.isError).toBe(!hasResult);
				}
			}),
		);
	});
});
