import * as z from "zod";
import { corpusText } from "../../support/corpus-text";

/** The shape of the corpus entries that are command lines, as far as it is needed here. */
export const hostileLine = z.object({
	id: z.string(),
	input: z.object({ command: corpusText, cwd: z.string().optional() }),
	config: z.object({ shell: z.object({ allow: z.array(z.string()) }) }),
	expect: z.object({ reason: z.string() }),
});

/**
 * The corpus refuses by syntax what a real shell would run. Here every command is looked up in the list instead, so those lines are
 * refused for the command that they hide; and these hide none, or one that never runs.
 */
const harmless: Readonly<Record<string, string>> = {
	"shell-19": "LD_PRELOAD is a variable like any other: there is no loader",
	"shell-35": "`@P` runs no substitution",
	"shell-38": "sort runs no program and knows no such option",
	"shell-41": "env knows no -S",
	"shell-44": "sed has no e",
};
/** Programs that run programs, where the list does not say that they do. */
const unmarked: Readonly<Record<string, string>> = {
	"shell-43": "python3 is a program",
	"shell-47": "tar is a program",
};
const ownReasons = ["ok", "outside_root", "forbidden_char", "empty_command", "command_too_long", "command_not_allowed"];

/** What this shell answers to a line of the corpus: `ok`, or the reason of its refusal. */
export function answerTo({ id, expect: { reason } }: z.output<typeof hostileLine>): string {
	if (Object.hasOwn(harmless, id)) return "ok";
	if (Object.hasOwn(unmarked, id)) return "interpreter_unmarked";
	return ownReasons.includes(reason) ? reason : "command_not_allowed";
}
