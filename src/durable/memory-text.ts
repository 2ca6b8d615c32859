import type { Db } from "../db/client";
import { searchMemories } from "../db/memories";
import { renderMemory } from "../memory/render";

/** An agent's MEMORY.md; empty when it remembers nothing. */
export async function memoryText(db: Db, agent: string): Promise<string> {
	const [core, archival] = await Promise.all(
		(["core", "archival"] as const).map((category) => searchMemories(db, { agent, category, limit: 200 })),
	);
	const entries = [...(core ?? []), ...(archival ?? [])].map(({ content, category, createdAt }) => ({
		content,
		scope: category === "core" ? ("core" as const) : ("archival" as const),
		createdAt,
	}));
	return entries.length > 0 ? renderMemory(entries) : "";
}
