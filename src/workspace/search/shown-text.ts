import { truncateChars } from "../../lib/text";

/** What is shown of one line, in UTF-16 units. */
const maxShown = 500;
/** What of it may stand before the match. */
const lead = 100;

/** A line without its line end, cut around the place given by `start` when it is long; `…` stands for what is left out. */
export function shownText(line: string, start: () => number): string {
	const text = line.replace(/\r$/, "");
	if (text.length <= maxShown) return text;
	const begin = Math.max(0, Math.min(start() - lead, text.length - maxShown));
	const shown = truncateChars(text.slice(begin).replace(/^[\udc00-\udfff]/, ""), maxShown);
	return `${begin > 0 ? "…" : ""}${shown}${begin + maxShown < text.length ? "…" : ""}`;
}
