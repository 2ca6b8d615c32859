import { describe, expect, it } from "vitest";
import { judgeRate } from "../../src/gates/limits";

const limits = { callsPerMinute: 10, toolCallsPerMinute: { notify: 2 } };

describe("judgeRate", () => {
	it("lets a call pass that is within both limits", () => {
		expect(judgeRate({ limits, tool: "notify", counts: { all: 9, tool: 1 } })).toBeUndefined();
	});

	it("refuses the first call beyond the limit of all tools", () => {
		const refusal = judgeRate({ limits, tool: "current_time", counts: { all: 10, tool: 0 } });
		expect(refusal).toMatchObject({
			reason: "rate_limited",
			message: expect.stringContaining("10 tool calls a minute"),
		});
	});

	it("refuses the first call beyond the tool's own limit", () => {
		const refusal = judgeRate({ limits, tool: "notify", counts: { all: 2, tool: 2 } });
		expect(refusal?.message).toContain("2 calls of notify a minute");
	});

	it("sets no limit where the policy sets none", () => {
		const counts = { all: 1e6, tool: 1e6 };
		expect(judgeRate({ limits: { toolCallsPerMinute: {} }, tool: "constructor", counts })).toBeUndefined();
	});
});
