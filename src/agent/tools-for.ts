import * as z from "zod";
import type { ToolSpec } from "../llm/provider";
import type { AgentProfile } from "../shared/agent";
import type { Court } from "../tools/admit";
import { deniedByPolicy, notAvailable, notListed } from "../tools/admit";
import type { Tool } from "../tools/tool";

/**
 * The tools a model is shown: listed by the profile, available, not denied, and at most one face of each (X1).
 * It hides what a call would be refused for anyway; the refusal itself is the executor's.
 */
export function toolsFor(court: Pick<Court, "registry" | "profile" | "around" | "snapshot">): Tool[] {
	const usable = court.registry.tools.filter(
		(tool) => !notListed(court, tool) && !notAvailable(court, tool) && !deniedByPolicy(court, tool),
	);
	const faces = new Map<string, Tool>();
	for (const tool of usable) {
		const canonical = tool.aliasOf ?? tool.name;
		const shown = faces.get(canonical);
		if (!shown || rank(tool, court.profile.tools) < rank(shown, court.profile.tools)) faces.set(canonical, tool);
	}
	return [...faces.values()];
}

/** A face the profile names outright comes first, in its order; then the canonical one. */
function rank(tool: Tool, listed: readonly string[]): number {
	const at = listed.indexOf(tool.name);
	if (at >= 0) return at;
	return tool.aliasOf ? listed.length + 1 : listed.length;
}

const schemas = new WeakMap<Tool, Record<string, unknown>>();

/** A tool as the API lists it and a model is told of it. */
export function specOf(tool: Tool, around: Court["around"]): ToolSpec {
	return {
		name: tool.name,
		description: dedent(tool.description) + (tool.describe ? `\n${tool.describe(around)}` : ""),
		inputSchema: inputSchemaOf(tool),
	};
}

/** JSON Schema of a tool's input, derived once. */
export function inputSchemaOf(tool: Tool): Record<string, unknown> {
	const known = schemas.get(tool);
	if (known) return known;
	const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: "input" });
	schemas.set(tool, schema);
	return schema;
}

const dedent = (text: string) =>
	text
		.trim()
		.split("\n")
		.map((line) => line.trim())
		.join("\n");

/** The profile with what it implies: an agent that has skills may read them. */
export function withImplied(profile: AgentProfile, hasSkills: boolean): AgentProfile {
	if (!hasSkills || profile.tools.includes("read_skill")) return profile;
	return { ...profile, tools: [...profile.tools, "read_skill"] };
}
