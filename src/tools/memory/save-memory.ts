import * as z from "zod";
import { memoryText } from "../../memory/entry";
import { failure } from "../../shared/tool-result";
import { choice } from "../lenient";
import { defineTool } from "../tool";

export const saveMemory = defineTool({
	name: "save_memory",
	group: "memory",
	description: `
		Remember one fact across conversations, as a line of MEMORY.md. Write it so that it can be understood on its own.
		core is always in your prompt, so keep it for what always matters; archival is found by recall_memory.`,
	input: z.object({
		content: z.string().max(8_000).describe("The fact, in one or a few sentences. Line breaks become blanks."),
		scope: choice(["core", "archival"], "archival").describe("Where it is kept."),
	}),
	effects: "write",
	idempotent: true,
	touches: () => [],
	async execute({ memory, callId }, { content, scope }) {
		const text = memoryText(content);
		if (!text)
			return failure("invalid_arguments", "The content is blank, so there is nothing to remember.", {
				retryable: true,
			});
		await memory.append({ id: callId, content: text, scope });
		return { success: true, content: `Remembered in ${scope} memory.` };
	},
});
