import { judgeRate } from "../gates/limits";
import { judgeArguments, resolvePolicy, stricter } from "../gates/policy";
import { listsTool } from "../gates/tool-list";
import { judgeTouches } from "../gates/touches";
import type { AgentProfile } from "../shared/agent";
import { describeProblems, problemsOf } from "../shared/parse-input";
import type { PolicyAction } from "../shared/policy";
import type { Snapshot } from "../shared/snapshot";
import type { ToolErrorCode } from "../shared/tool-result";
import { knownNames } from "./lenient";
import type { Registry } from "./registry";
import type { Surroundings, Tool } from "./tool";

/** What decides about a call: configuration and counters, no effects. */
export interface Court {
	readonly registry: Registry;
	readonly snapshot: Snapshot;
	readonly profile: Pick<AgentProfile, "name" | "tools" | "deny_tools">;
	/** How the caller comes to a profile, where he has named none. */
	readonly profileHint?: string | undefined;
	readonly around: Surroundings;
	readonly allowLoopback: boolean;
	/** Calls of this principal in the last minute: all of them, and those of the tools named. Asked only when a limit is set. */
	countCalls(tools: readonly string[]): Promise<{ all: number; tool: number }>;
}

/** A call as it came: arguments parsed, or the reason why they could not be. */
export interface AskedCall {
	readonly name: string;
	readonly input: { ok: true; value: unknown } | { ok: false; reason: string };
}

/** The steps of DESIGN.md, in order, by the name that stands in the audit row's `gate`. */
export const gates = [
	"resolve",
	"profile",
	"available",
	"policy",
	"schema",
	"argument_rules",
	"lists",
	"limits",
	"approval",
] as const;
export type Gate = (typeof gates)[number];

export interface Refusal {
	readonly gate: Gate;
	readonly code: ToolErrorCode;
	readonly message: string;
	readonly retryable: boolean;
	/** The exact reason, where the gate has several. */
	readonly reason?: string;
	readonly tool?: Tool;
}

export type Verdict =
	| { admitted: true; tool: Tool; input: Record<string, unknown> }
	| { admitted: false; refusal: Refusal };

/** Takes a call through every gate before execution; the first refusal decides. Changes nothing. */
export async function admit(court: Court, call: AskedCall): Promise<Verdict> {
	const { snapshot } = court;
	const tool = court.registry.find(call.name);
	if (!tool) return refused(unknownTool(court, call.name));
	const early = notListed(court, tool) ?? notAvailable(court, tool) ?? deniedByPolicy(court, tool);
	if (early) return refused({ ...early, tool });

	const parsed = parseInput(tool, call.input);
	if (!parsed.ok) return refused({ ...parsed.refusal, tool });
	const input = parsed.input;

	const subjects = judgeSubjects(snapshot, tool, input);
	const forbidden = subjects.find(({ action }) => action === "deny");
	if (forbidden) return refused({ ...deniedSubject(tool, forbidden.name), tool });

	const rules = judgeFaces(snapshot, tool, input);
	const denied = rules.find(({ action }) => action === "deny");
	if (denied) return refused({ ...deniedByRule(tool, denied.rule), tool });

	const untouchable = judgeTouches(tool.touches(input, court.around), {
		whitelist: snapshot.whitelist,
		settings: snapshot.settings,
		allowLoopback: court.allowLoopback,
	});
	if (untouchable) {
		return refused({
			gate: "lists",
			code: "not_listed",
			message: untouchable.message,
			reason: untouchable.reason,
			retryable: false,
			tool,
		});
	}
	const tooMany = await overRate(court, tool);
	if (tooMany) return refused({ ...tooMany, tool });
	const supervised = subjects.find(({ action }) => action === "supervised");
	if (supervised) return refused({ ...needsApproval(tool, supervised.name), tool });
	if (rules.reduce((action, rule) => stricter(action, rule.action), actionFor(court, tool)) === "supervised")
		return refused({ ...needsApproval(tool, tool.name), tool });
	return { admitted: true, tool, input };
}

const refused = (refusal: Refusal): Verdict => ({ admitted: false, refusal });

export function unknownTool({ registry }: Pick<Court, "registry">, name: string): Refusal {
	const nearest = registry.nearest(name);
	const hint = nearest ? ` Did you mean ${nearest}?` : " GET /api/v1/tools lists what there is.";
	return {
		gate: "resolve",
		code: "unknown_tool",
		message: `There is no tool ${JSON.stringify(name.slice(0, 128))}.${hint}`,
		retryable: true,
	};
}

export function notListed(
	{ registry, profile, profileHint }: Pick<Court, "registry" | "profile" | "profileHint">,
	tool: Tool,
): Refusal | undefined {
	if (listsTool(profile, { name: tool.name, aliasOf: tool.aliasOf, aliases: registry.facesOf(tool) })) return undefined;
	const message =
		profileHint ??
		`The agent ${profile.name} does not list the tool ${tool.name}. Add it to "tools" of the agent's profile and keep it out of "deny_tools".`;
	return { gate: "profile", code: "not_in_profile", message, retryable: false };
}

export function notAvailable({ around }: Pick<Court, "around">, tool: Tool): Refusal | undefined {
	const why = tool.unavailable?.(around);
	return why ? { gate: "available", code: "unavailable", message: why, retryable: false } : undefined;
}

const actionFor = ({ snapshot }: Pick<Court, "snapshot">, tool: Tool): PolicyAction =>
	resolvePolicy(snapshot.policy, { tool: tool.name, aliasOf: tool.aliasOf, group: tool.group });

export function deniedByPolicy(court: Pick<Court, "snapshot">, tool: Tool): Refusal | undefined {
	if (actionFor(court, tool) !== "deny") return undefined;
	return {
		gate: "policy",
		code: "policy_denied",
		message: `The tool policy denies ${tool.name} (group ${tool.group}). An administrator can change it with PUT /api/v1/policy.`,
		retryable: false,
	};
}

/** A misfit is retryable: the model can correct its arguments. */
export function parseInput(
	tool: Tool,
	input: AskedCall["input"],
): { ok: true; input: Record<string, unknown> } | { ok: false; refusal: Refusal } {
	const misfit = (why: string): { ok: false; refusal: Refusal } => ({
		ok: false,
		refusal: {
			gate: "schema",
			code: "invalid_arguments",
			message: `The arguments of ${tool.name} do not fit its schema, so nothing was run. ${why}`,
			retryable: true,
		},
	});
	if (!input.ok) return misfit(input.reason);
	const parsed = tool.input.safeParse(knownNames(input.value, tool.input.shape));
	return parsed.success ? { ok: true, input: parsed.data } : misfit(describeProblems(problemsOf(parsed.error)));
}

/** What the policy says of this call beyond its tool: by name, else what is the default of the name. */
function judgeSubjects({ policy }: Snapshot, tool: Tool, input: Record<string, unknown>) {
	const subjects = tool.policySubjects?.(input) ?? [];
	return subjects.map(({ name, default: otherwise }) => ({
		name,
		action: resolvePolicy({ tools: policy.tools, groups: {}, default: otherwise }, { tool: name, group: tool.group }),
	}));
}

const deniedSubject = (tool: Tool, subject: string): Refusal => ({
	gate: "policy",
	code: "policy_denied",
	message: `The tool policy denies ${subject}, which this call of ${tool.name} is. An administrator can change it with PUT /api/v1/policy.`,
	retryable: false,
});

/** A call is judged by its own arguments, and by their canonical form where they can be said in several ways. */
function judgeFaces({ policy }: Snapshot, tool: Tool, input: Record<string, unknown>) {
	const canonical = tool.toCanonical && judgeArguments(policy, tool.aliasOf ?? tool.name, tool.toCanonical(input));
	return [judgeArguments(policy, tool.name, input), canonical].filter((rule) => rule !== undefined);
}

const deniedByRule = (tool: Tool, rule: { path: string; pattern: string }): Refusal => ({
	gate: "argument_rules",
	code: "argument_denied",
	message: `An argument rule of the policy denies ${tool.name} when ${rule.path} is like ${JSON.stringify(rule.pattern)}.`,
	retryable: false,
});

/** Every face of a tool counts against the limit that names any of them. */
async function overRate({ registry, snapshot, countCalls }: Court, tool: Tool): Promise<Refusal | undefined> {
	const { limits } = snapshot.policy;
	const faces = [tool.name, ...registry.facesOf(tool)];
	const limited = faces.find((name) => Object.hasOwn(limits.toolCallsPerMinute, name));
	if (limits.callsPerMinute === undefined && limited === undefined) return undefined;
	const over = judgeRate({ limits, tool: limited ?? tool.name, counts: await countCalls(faces) });
	return over ? { gate: "limits", code: "rate_limited", message: over.message, retryable: true } : undefined;
}

/** `subject` is what the policy calls it: the tool, or more than that. */
const needsApproval = (tool: Tool, subject: string): Refusal => ({
	gate: "approval",
	code: "approval_required",
	message: `${subject === tool.name ? subject : `${tool.name} falls under ${subject} here, which`} is supervised: it runs only after a person has approved this very call, and this deployment has no approvals yet. An administrator can set ${subject === tool.name ? "its policy" : subject} to "allow" with PUT /api/v1/policy.`,
	retryable: false,
});
