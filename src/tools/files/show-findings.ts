import { counted } from "../../lib/counted";
import type { SettingsDocument } from "../../shared/settings";
import type { GrepOutcome } from "../../workspace/search/findings";
import { showMatches } from "../../workspace/search/show-matches";
import { shownPath } from "./shown-path";

/** What a search found as the model reads it: the lines, then in brackets what is not among them. */
export function showFindings(
	{ lines, more, stopped, filesSearched, binaryFiles, longLines }: GrepOutcome,
	pattern: string,
	settings: Pick<SettingsDocument, "files">,
): string {
	const found = lines.map((line) => ({ ...line, path: shownPath(line.path, settings) }));
	const searched = `${counted(filesSearched, "file")} searched`;
	const notes = [
		lines.length === 0 && `No line matches ${pattern}: ${searched}.`,
		more > 0 && `${more} more lines match. Narrow the search with path, include or a longer pattern.`,
		stopped && `The search ended early (${endings[stopped]}), after ${searched}: there may be more.`,
		binaryFiles > 0 && `${binaryFiles} binary ${binaryFiles === 1 ? "file was" : "files were"} left out.`,
		longLines > 0 && `${longLines} very long ${longLines === 1 ? "line was" : "lines were"} searched in parts.`,
	];
	const remarks = notes.flatMap((note) => (note ? [`[${note}]`] : []));
	return [...(found.length > 0 ? [showMatches({ lines: found })] : []), ...remarks].join("\n");
}

const endings = {
	matches: "too many matches",
	bytes: "too much to read",
	work: "the pattern takes too much work",
} as const;
