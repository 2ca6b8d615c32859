import type { Surroundings } from "../tool";

const shownCommands = 200;

/** The commands of the SHELL list, for a model that would else guess. */
export function describeCommands({ commands }: Pick<Surroundings, "commands">): string {
	if (commands.length === 0) return "No command is listed yet, so nothing can be run.";
	const more = commands.length > shownCommands ? ` and ${commands.length - shownCommands} more` : "";
	return `The commands that may be run: ${commands.slice(0, shownCommands).join(" ")}${more}.`;
}
