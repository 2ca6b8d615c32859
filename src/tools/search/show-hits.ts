import { truncateChars } from "../../lib/text";
import type { ToolResult } from "../../shared/tool-result";
import type { SearchHit, SearchRequest } from "./engine";

const maxHits = 100;
const maxTitleChars = 200;
const maxSnippetChars = 500;

/** Numbers the hits, each URL once; says plainly that nothing was found, and what might help. */
export function showHits({ query, maxResults }: SearchRequest, hits: readonly SearchHit[], hint?: string): ToolResult {
	const shown = hits.slice(0, maxHits).filter(isFirstOfItsUrl).slice(0, maxResults);
	if (shown.length === 0) {
		const advice = hint ?? "Try other or fewer words.";
		return { success: true, content: `Nothing was found for ${JSON.stringify(query)}. ${advice}` };
	}
	return { success: true, content: shown.map(showHit).join("\n\n") };
}

const isFirstOfItsUrl = ({ url, snippet }: SearchHit, at: number, all: readonly SearchHit[]): boolean =>
	all.findIndex((other) => other.url === url && (url !== "" || other.snippet === snippet)) === at;

function showHit({ title, url, snippet }: SearchHit, at: number): string {
	const isLink = /^https?:\/\//i.test(url);
	const lines = [
		`${at + 1}. ${truncateChars(title || url, maxTitleChars)}`,
		...(isLink ? [`   ${truncateChars(url, 2_000)}`] : []),
		...(snippet ? [`   ${truncateChars(snippet, maxSnippetChars)}`] : []),
	];
	return lines.join("\n");
}
