import { collapse } from "../html/clean-text";
import { readHtml } from "../html/read-html";
import { findAll, type HtmlElement, textBelow } from "../html/tree";
import type { SearchHit } from "./engine";

const maxTextChars = 200_000;

/** Reads the hits from DuckDuckGo's result page; undefined for a page that asks for proof of a person. Advertisements are left out. */
export async function pageHits(html: string): Promise<SearchHit[] | undefined> {
	const { page } = await readHtml(html, maxTextChars);
	if (findAll([page.root], hasClass(/anomaly-modal/)).length > 0) return undefined;
	return findAll([page.root], hasClass(/(?:^|\s)result(?:\s|$)/)).flatMap((result) => {
		const link = findAll([result], hasClass(/result__a(?:\s|$)/))[0];
		const url = targetOf(link?.attributes.href ?? "");
		if (!link || !url || hasClass(/result--ad/)(result)) return [];
		const snippet = findAll([result], hasClass(/result__snippet/))[0];
		return [{ title: textOf(link), url, snippet: snippet ? textOf(snippet) : "" }];
	});
}

const hasClass =
	(pattern: RegExp) =>
	({ attributes }: HtmlElement): boolean =>
		pattern.test(attributes.class ?? "");

const textOf = (element: HtmlElement): string => collapse(textBelow(element)).trim();

/** Links lead over a counting page, which carries the target in its query. */
function targetOf(href: string): string | undefined {
	const url = URL.parse(href, "https://duckduckgo.com/");
	if (!url) return undefined;
	const isOwn = url.hostname === "duckduckgo.com" || url.hostname.endsWith(".duckduckgo.com");
	return isOwn && url.pathname.startsWith("/l/") ? (url.searchParams.get("uddg") ?? undefined) : url.href;
}
