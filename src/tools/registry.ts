import type { Tool } from "./tool";

/** Every tool by name. Nothing is shadowed: two tools with one name do not make a registry. */
export interface Registry {
	readonly tools: readonly Tool[];
	find(name: string): Tool | undefined;
	/** Names of the other faces of a tool, the canonical one included when it is not the tool itself. */
	facesOf(tool: Tool): readonly string[];
	/** The name most like `name`, when one is like it at all. */
	nearest(name: string): string | undefined;
}

export function createRegistry(tools: readonly Tool[]): Registry {
	const byName = new Map<string, Tool>();
	const faces = new Map<string, string[]>();
	for (const tool of tools) {
		if (byName.has(tool.name)) throw new Error(`Two tools are named ${tool.name}.`);
		byName.set(tool.name, tool);
		const canonical = tool.aliasOf ?? tool.name;
		faces.set(canonical, [...(faces.get(canonical) ?? []), tool.name]);
	}
	return {
		tools,
		find: (name) => byName.get(name),
		facesOf: (tool) => (faces.get(tool.aliasOf ?? tool.name) ?? []).filter((name) => name !== tool.name),
		nearest: (name) => nearestOf(name, byName.keys()),
	};
}

function nearestOf(name: string, candidates: Iterable<string>): string | undefined {
	let best: string | undefined;
	let bestLikeness = 0.4;
	for (const candidate of candidates) {
		const likeness = likenessOf(name.toLowerCase(), candidate);
		if (likeness > bestLikeness) [best, bestLikeness] = [candidate, likeness];
	}
	return best;
}

/** Dice coefficient over letter pairs, ends marked and underscores left out: 1 for `readFile` and `read_file`. */
function likenessOf(left: string, right: string): number {
	const leftPairs = pairsOf(left);
	const rightPairs = pairsOf(right);
	const shared = [...leftPairs].filter((pair) => rightPairs.has(pair)).length;
	return (2 * shared) / (leftPairs.size + rightPairs.size);
}

function pairsOf(text: string): Set<string> {
	const letters = ` ${text.replaceAll("_", "").slice(0, 64)} `;
	return new Set(Array.from({ length: letters.length - 1 }, (_, at) => letters.slice(at, at + 2)));
}
