import { findSkill } from "../db/skills";
import type { WorkspaceContext } from "../workspace/context";
import type { DocumentSource } from "../workspace/loaded-documents";
import type { Deployment } from "./deployment";
import { memoryText } from "./memory-text";

/** `/skills` and `/memory` come from D1, `/artifacts` from the session that keeps them. */
export function documentsOf(
	{ db, sessions }: Deployment,
	{ documents: { agent, skills, session } }: WorkspaceContext,
): DocumentSource {
	return {
		skills,
		hasMemory: agent !== undefined,
		skill: async (name) => (await findSkill(db, name))?.content,
		memory: async () => (agent === undefined ? "" : await memoryText(db, agent)),
		artifactIds: async () => (session && (await sessions.getByName(session.id).artifactIds(session.principal))) ?? [],
		artifact: async (id) => session && (await sessions.getByName(session.id).artifact(session.principal, id)),
	};
}
