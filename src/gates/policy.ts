import { canonicalJson } from "../lib/canonical-json";
import { matchesGlob } from "../lib/glob";
import { parsePath, readPath } from "../lib/json-path";
import type { ArgumentRule, PolicyAction, PolicyDocument } from "../shared/policy";

const severity: readonly PolicyAction[] = ["allow", "supervised", "deny"];

/** The stricter of two actions: deny over supervised over allow. */
export const stricter = (a: PolicyAction, b: PolicyAction): PolicyAction =>
	severity.indexOf(a) >= severity.indexOf(b) ? a : b;

export interface JudgedTool {
	readonly tool: string;
	/** The canonical tool, when `tool` is another face of it. */
	readonly aliasOf?: string | undefined;
	readonly group: string;
}

/** What the policy says of a tool: by its name, else by its group, else by default. Where an alias and its canonical tool are both named, the stricter holds. */
export function resolvePolicy(
	policy: Pick<PolicyDocument, "tools" | "groups" | "default">,
	{ tool, aliasOf, group }: JudgedTool,
): PolicyAction {
	const own = ownValue(policy.tools, tool);
	const canonical = aliasOf === undefined ? undefined : ownValue(policy.tools, aliasOf);
	if (own && canonical) return stricter(own, canonical);
	return own ?? canonical ?? ownValue(policy.groups, group) ?? policy.default;
}

/** A tool may be named like something that every object inherits. */
const ownValue = (record: Readonly<Record<string, PolicyAction>>, key: string) =>
	Object.hasOwn(record, key) ? record[key] : undefined;

/** The first argument rule that names the tool and whose pattern the argument matches whole. A rule whose path is not there matches nothing. */
export function judgeArguments(
	policy: Pick<PolicyDocument, "argumentRules">,
	tool: string,
	args: Readonly<Record<string, unknown>>,
): { action: PolicyAction; rule: ArgumentRule } | undefined {
	const rule = policy.argumentRules.find(
		(candidate) => matchesGlob(candidate.tool, tool) && matchesArgument(candidate, args),
	);
	return rule && { action: rule.action, rule };
}

function matchesArgument({ path, pattern }: ArgumentRule, args: Readonly<Record<string, unknown>>): boolean {
	const parsed = parsePath(path);
	const read = parsed.ok ? readPath(args, parsed.steps) : undefined;
	if (!read?.found || read.value === undefined) return false;
	return matchesGlob(pattern, typeof read.value === "string" ? read.value : canonicalJson(read.value));
}
