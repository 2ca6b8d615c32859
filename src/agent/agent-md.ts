import { stringify } from "yaml";
import { type AgentProfile, agentProfile } from "../shared/agent";
import { AppError } from "../shared/errors";
import { parseInput } from "../shared/parse-input";
import { readFrontMatter } from "./front-matter";

/** Reads an AGENT.md: the front matter is the profile and the body its prompt; `name` is for one that has none. Throws `invalid_input`. */
export function parseAgentMd(text: string, name?: string): AgentProfile {
	const { fields, body } = readFrontMatter(text, "AGENT.md");
	if ("prompt" in fields) {
		throw new AppError(
			"invalid_input",
			"prompt: in an AGENT.md the text below the front matter is the prompt; leave the field out.",
		);
	}
	return parseInput(agentProfile, { ...(name !== undefined && { name }), ...fields, prompt: body });
}

/** Writes the AGENT.md that `parseAgentMd` reads the same profile from; empty lists are left out. */
export function writeAgentMd({ prompt, ...profile }: AgentProfile): string {
	const fields = Object.entries(profile).filter(
		([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0),
	);
	const yaml = stringify(Object.fromEntries(fields), { aliasDuplicateObjects: false, schema: "core", version: "1.2" });
	return `---\n${yaml}---\n\n${prompt}\n`;
}
