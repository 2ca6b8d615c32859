import type { AgentProfile } from "../shared/agent";
import type { Snapshot } from "../shared/snapshot";

/** The skills of an agent: those it names, or all. */
export const skillsFor = ({ skills }: Snapshot, profile: AgentProfile) =>
	[...skills.values()].filter(({ name }) => profile.skills?.includes(name) ?? true);
