import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { historyOf, messagesOf } from "../../src/agent/history";
import { failure } from "../../src/shared/tool-result";
import { answers, asks, toolStep, turn } from "../support/turns";

describe("messagesOf", () => {
	it("puts each result behind the answer that asked, in the order of the calls", () => {
		const steps = [
			asks(1, "a", "b"),
			toolStep(2, "b"),
			toolStep(3, "a", { result: failure("timeout", "Too slow.") }),
			answers(4, "ok"),
		];
		expect(messagesOf({ turn: turn(), steps })).toMatchObject([
			{ role: "user", content: "hello" },
			{ role: "assistant", toolCalls: [{ id: "a" }, { id: "b" }] },
			{ role: "tool", callId: "a", content: "Too slow.", isError: true },
			{ role: "tool", callId: "b", content: "result of b", isError: false },
			{ role: "assistant", content: "ok" },
		]);
	});

	it("gives each call exactly one result, whatever the journal holds", () => {
		const calls = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 6 });
		fc.assert(
			fc.property(calls, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), (ids, ended) => {
				const results = ids.flatMap((id, at) => (ended[at] ? [toolStep(at + 2, id)] : []));
				const messages = messagesOf({ turn: turn(), steps: [asks(1, ...ids), ...results] });
				expect(messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []))).toEqual(ids);
			}),
		);
	});
});

describe("historyOf", () => {
	it("keeps the current turn and the last ones before it", () => {
		const turns = ["one", "two", "three"].map((message) => ({ turn: turn({ message }), steps: [] }));
		expect(historyOf(turns, 1).map(({ content }) => content)).toEqual(["two", "three"]);
		expect(historyOf(turns, 0).map(({ content }) => content)).toEqual(["three"]);
	});
});
