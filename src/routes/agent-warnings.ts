import { registry } from "../durable/registry";
import { listsTool } from "../gates/tool-list";
import type { AgentProfile } from "../shared/agent";
import type { Snapshot } from "../shared/snapshot";

/** What a profile names and nothing answers to at the moment: it is saved all the same, since it may come later. */
export function warningsOf(profile: AgentProfile, { skills, secrets }: Snapshot): string[] {
	const { mcp_servers, schedules = [] } = profile;
	const unknownTools = [...profile.tools, ...profile.deny_tools].filter((pattern) => !matchesAny(pattern));
	const unknownSkills = (profile.skills ?? []).filter((name) => !skills.has(name));
	const secret = profile.provider?.apiKey?.slice(2, -1);
	return [
		...new Set(unknownTools.map((pattern) => `No tool answers to "${pattern}".`)),
		...mcp_servers.map((name) => `There is no MCP server ${name}.`),
		...(schedules.length > 0 ? ["schedules: they are kept, and nothing runs them yet."] : []),
		...unknownSkills.map((name) => `There is no skill ${name}.`),
		...(secret && !secrets.has(secret) ? [`There is no secret ${secret}, which provider.apiKey names.`] : []),
	];
}

const matchesAny = (pattern: string) =>
	registry.tools.some((tool) => listsTool({ tools: [pattern], deny_tools: [] }, tool));
