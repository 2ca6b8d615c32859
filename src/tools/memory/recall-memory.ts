import * as z from "zod";
import { memoryLine } from "../../memory/entry";
import { failure } from "../../shared/tool-result";
import { defineTool } from "../tool";

const maxEntries = 20;

export const recallMemory = defineTool({
	name: "recall_memory",
	group: "memory",
	description: `
		Search what was remembered with save_memory for a keyword, letter case aside.
		Answers the entries that hold it, newest first, at most ${maxEntries}.`,
	input: z.object({
		keyword: z.string().max(200).describe("A word or phrase that the entry contains."),
	}),
	effects: "read",
	idempotent: true,
	unavailable: ({ settings }) =>
		settings.memory.aclEnabled
			? "Memory is under access control (settings.memory.aclEnabled), which closes recall to every agent."
			: undefined,
	touches: () => [],
	async execute({ memory }, { keyword: given }) {
		const keyword = given.trim();
		if (!keyword)
			return failure("invalid_arguments", "The keyword is blank. Give a word that the entry contains.", {
				retryable: true,
			});
		const entries = await memory.search(keyword, maxEntries);
		if (entries.length === 0) return { success: true, content: `Nothing remembered holds ${JSON.stringify(keyword)}.` };
		return { success: true, content: entries.map((entry) => `${memoryLine(entry)} (${entry.scope})`).join("\n") };
	},
});
