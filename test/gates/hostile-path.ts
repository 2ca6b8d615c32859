import * as z from "zod";
import { corpusText } from "../support/corpus-text";

export const root = "/workspace/oryxos";

/** The corpus's folder and its neighbour, in our tree: a workspace has no `/tmp/oryxos` that lasts. */
export const inOurTree = (path: string) =>
	path.replaceAll("/tmp/oryxos", root).replaceAll("/tmp/ORYXOS", "/workspace/ORYXOS");

/** The shape of the corpus entries that concern paths, as far as it is needed here. */
export const hostilePath = z.object({
	id: z.string(),
	category: z.literal("path"),
	tool: z.string(),
	input: z.object({ path: corpusText.optional(), to: z.string().optional(), cwd: z.string().optional() }),
	config: z.object({ memory: z.object({ acl: z.boolean() }).optional() }),
	expect: z.object({ decision: z.string(), reason: z.string() }),
});
export type HostilePath = z.output<typeof hostilePath>;
