import { matchesGlob } from "../lib/glob";

/** A tool by all of its names: the one it is called by, the canonical one and its other faces. */
export interface ToolNames {
	readonly name: string;
	readonly aliasOf?: string | undefined;
	readonly aliases?: readonly string[] | undefined;
}

/** Whether a profile lists a tool by any of its names; one entry of `deny_tools` that matches any of them wins. */
export function listsTool(
	profile: { readonly tools: readonly string[]; readonly deny_tools: readonly string[] },
	{ name, aliasOf, aliases = [] }: ToolNames,
): boolean {
	const names = [name, ...(aliasOf === undefined ? [] : [aliasOf]), ...aliases];
	const holds = (patterns: readonly string[]) =>
		patterns.some((pattern) => names.some((candidate) => matchesGlob(pattern, candidate)));
	return holds(profile.tools) && !holds(profile.deny_tools);
}
