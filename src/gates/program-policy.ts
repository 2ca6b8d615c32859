import type { PolicyAction, PolicyDocument } from "../shared/policy";
import { resolvePolicy } from "./policy";

/** What the policy says of programs on the runner: only by their own names, whatever it says by group or by default. */
export function programPolicy({ tools }: Pick<PolicyDocument, "tools">): {
	/** Of programs that run other programs. */
	interpreters: PolicyAction;
	/** Of a way out to the hosts of the HTTP list. */
	programNetwork: PolicyAction;
} {
	const ruleFor = (tool: string, otherwise: PolicyAction) =>
		resolvePolicy({ tools, groups: {}, default: otherwise }, { tool, group: "shell" });
	return { interpreters: ruleFor("interpreter", "supervised"), programNetwork: ruleFor("program_network", "deny") };
}
