import { truncateChars } from "../../lib/text";
import { readHtml } from "./read-html";
import { enoughText, mainPart } from "./region";
import { renderMarkdown } from "./render";
import { newScene } from "./scene";
import type { TreeBuilder } from "./tree-builder";

export interface PageMarkdown {
	readonly title: string;
	readonly markdown: string;
	/** Sentences about what is missing and why. */
	readonly notes: readonly string[];
	/** Characters of the whole when `markdown` is cut. */
	readonly totalChars: number | undefined;
}

/** Text that is read for each character that is asked for: what comes before the main part of a page is not shown. */
const textPerChar = 3;

/** Turns a page into Markdown that reads well: its main part, links made absolute by `baseUrl`. Never throws for what a page contains. */
export async function toMarkdown(
	html: string,
	{ baseUrl, maxChars }: { baseUrl: string; maxChars: number },
): Promise<PageMarkdown> {
	const { page, stopped } = await readHtml(html, textPerChar * maxChars);
	const whole = render(page, baseUrl);
	const isCut = whole.length > maxChars;
	const needsScripts = page.hasScripts && whole.length < enoughText;
	return {
		title: truncateChars(page.title, 300),
		markdown: isCut ? cutAtLine(whole, maxChars) : whole,
		notes: [
			...(stopped ? [stopped] : []),
			...(needsScripts ? ["The page has little text of its own; it may be drawn by scripts, which are not run."] : []),
		],
		totalChars: isCut ? whole.length : undefined,
	};
}

function render(page: TreeBuilder, baseUrl: string): string {
	const base = URL.parse(page.baseHref ?? "", baseUrl) ?? URL.parse(baseUrl) ?? undefined;
	const main = mainPart(page.root);
	const markdown = renderMarkdown(main.nodes, newScene(base, true));
	if (markdown.length >= enoughText) return markdown;
	// What looks like navigation may be all that the page has.
	const everything = renderMarkdown(page.root.children, newScene(base, false));
	return everything.length > 2 * markdown.length ? everything : markdown;
}

/** Cuts between lines where one ends in the last tenth, else between characters. */
function cutAtLine(text: string, maxChars: number): string {
	const cut = truncateChars(text, maxChars);
	const lineEnd = cut.lastIndexOf("\n");
	return lineEnd >= maxChars * 0.9 ? cut.slice(0, lineEnd).trimEnd() : cut;
}
