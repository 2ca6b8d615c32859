import { describe, expect, it } from "vitest";
import type { Step } from "../../src/agent/journal";
import { nextMove } from "../../src/agent/next-move";
import { failure } from "../../src/shared/tool-result";
import { answers, asks, call, limits, modelStep, reply, toolStep, turn } from "../support/turns";

const next = (steps: Step[], over = {}, now = 1_000, limit = {}) =>
	nextMove(turn(over), steps, { ...limits, ...limit }, now);

describe("nextMove", () => {
	it("asks the model first", () => {
		expect(next([])).toEqual({ type: "model", attempt: 1 });
	});

	it("asks again for an answer that a crash cut off", () => {
		const cut = modelStep(1, { state: "started", attempt: 2 });
		expect(next([cut])).toEqual({ type: "model", attempt: 2, again: cut });
	});

	it("runs the calls of an answer in order", () => {
		expect(next([asks(1, "a", "b")])).toEqual({ type: "tool", call: call("a") });
		expect(next([asks(1, "a", "b"), toolStep(2, "a")])).toEqual({ type: "tool", call: call("b") });
		expect(next([asks(1, "a", "b"), toolStep(2, "a"), toolStep(3, "b")])).toEqual({ type: "model", attempt: 1 });
	});

	it("hands on a call whose effect may have happened", () => {
		const started = toolStep(2, "a", { state: "started", result: undefined });
		expect(next([asks(1, "a"), started])).toEqual({ type: "tool", call: call("a"), again: started });
	});

	it("ends with the answer", () => {
		expect(next([asks(1, "a"), toolStep(2, "a"), answers(3, "done")])).toEqual({ type: "end", status: "completed" });
	});

	it("fails on an answer without content", () => {
		expect(next([answers(1, " \n")])).toMatchObject({ type: "end", status: "failed", error: { code: "empty_answer" } });
	});

	it("completes when the provider's filter left nothing to say", () => {
		const filtered = modelStep(1, { reply: reply({ finishReason: "content-filter" }) });
		expect(next([filtered])).toEqual({ type: "end", status: "completed" });
	});

	it("waits until a failed step may be asked again, then asks", () => {
		const failed = modelStep(1, {
			state: "failed",
			failure: { code: "rate_limited", message: "Slow down.", retryable: true, retryAt: 5_000 },
		});
		expect(next([failed], {}, 4_999)).toEqual({ type: "wait", until: 5_000 });
		expect(next([failed], {}, 5_000)).toEqual({ type: "model", attempt: 2, again: failed });
	});

	it("fails with the model's error when it may not be asked again", () => {
		const error = { code: "unauthorized", message: "The key is wrong.", retryable: false } as const;
		expect(next([modelStep(1, { state: "failed", failure: error })])).toEqual({ type: "end", status: "failed", error });
	});

	it.each([
		["iterations", "max_iterations", { max_iterations: 1 }, 1_000],
		["tokens", "token_budget", { max_tokens: 2 }, 1_000],
		["time", "time_budget", {}, 60_000],
	])("closes the open calls and fails when the %s are used up", (_, code, limit, now) => {
		const asked = [asks(1, "a", "b")];
		expect(next(asked, {}, now, limit)).toMatchObject({
			type: "close",
			calls: [{ id: "a" }, { id: "b" }],
			because: { code },
		});
		const closed = [...asked, toolStep(2, "a"), toolStep(3, "b")];
		expect(next(closed, {}, now, limit)).toMatchObject({ type: "end", status: "failed", error: { code } });
	});

	it("keeps an answer that came with the last of the time", () => {
		expect(next([answers(1, "done")], {}, 60_000)).toEqual({ type: "end", status: "completed" });
	});

	it("closes the open calls of a cancelled turn, then ends it", () => {
		expect(next([asks(1, "a")], { cancelled: true })).toMatchObject({ type: "close", because: "cancelled" });
		expect(next([asks(1, "a"), toolStep(2, "a")], { cancelled: true })).toEqual({ type: "end", status: "cancelled" });
		expect(next([], { cancelled: true })).toEqual({ type: "end", status: "cancelled" });
	});

	it("surfaces a failure that no retry can mend, where the agent says so", () => {
		const refused = toolStep(2, "a", { result: failure("not_listed", "Not on the HTTP list.") });
		const steps = [asks(1, "a"), refused];
		expect(next(steps)).toEqual({ type: "model", attempt: 1 });
		expect(next(steps, {}, 0, { on_nonretryable: "surface" })).toMatchObject({
			type: "end",
			status: "failed",
			error: { code: "tool_failed", message: "current_time: Not on the HTTP list." },
		});
		const retryable = toolStep(2, "a", { result: failure("timeout", "Too slow.", { retryable: true }) });
		expect(next([asks(1, "a"), retryable], {}, 0, { on_nonretryable: "surface" })).toEqual({
			type: "model",
			attempt: 1,
		});
	});
});
