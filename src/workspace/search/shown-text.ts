import { truncateChars } from "../../lib/text";

/** What is shown of one line, in UTF-16 units. */
const maxShown = 500;
/** What of it may stand before the match. */
const lead = 100;

/** A line without its CR, cut around a place in it when it is long, or after its beginning; `…` stands for what is left out. */
export function shownText(line: string, placeIn: (text: string) => number = () => 0): string {
	const text = line.replace(/\r$/, "");
	if (text.length <= maxShown) return text;
	const begin = Math.max(0, Math.min(placeIn(text) - lead, text.length - maxShown));
	const shown = truncateChars(text.slice(begin).replace(/^[\udc00-\udfff]/, ""), maxShown);
	return `${begin > 0 ? "…" : ""}${shown}${begin + maxShown < text.length ? "…" : ""}`;
}
