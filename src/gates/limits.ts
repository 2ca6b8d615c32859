import type { PolicyDocument } from "../shared/policy";

export interface RateRefusal {
	readonly reason: "rate_limited";
	readonly message: string;
}

/** Refuses a call that would be one too many: `counts` are the principal's calls of the last minute, this one left out. */
export function judgeRate({
	limits,
	tool,
	counts,
}: {
	readonly limits: Pick<PolicyDocument["limits"], "callsPerMinute" | "toolCallsPerMinute">;
	readonly tool: string;
	readonly counts: { readonly all: number; readonly tool: number };
}): RateRefusal | undefined {
	const { callsPerMinute, toolCallsPerMinute } = limits;
	if (callsPerMinute !== undefined && counts.all >= callsPerMinute) return refused(`${callsPerMinute} tool calls`);
	const own = toolCallsPerMinute[tool];
	return own !== undefined && counts.tool >= own ? refused(`${own} calls of ${tool}`) : undefined;
}

const refused = (limit: string): RateRefusal => ({
	reason: "rate_limited",
	message: `The policy allows ${limit} a minute, and they are used up. Wait a minute, or raise the limit with PUT /api/v1/policy.`,
});
