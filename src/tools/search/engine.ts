import type { SettingsDocument } from "../../shared/settings";
import type { ToolResult } from "../../shared/tool-result";
import type { ToolContext } from "../tool";

/** One hit of a web search, whoever found it. */
export interface SearchHit {
	readonly title: string;
	readonly url: string;
	readonly snippet: string;
}

/** Hits, perhaps none, with a hint at what would find more; or why the search could not be made. */
export type SearchOutcome =
	| { readonly ok: true; readonly hits: readonly SearchHit[]; readonly hint?: string }
	| { readonly ok: false; readonly result: ToolResult };

export interface SearchRequest {
	readonly query: string;
	readonly maxResults: number;
}

export type SearchContext = Pick<ToolContext, "fetch" | "secret" | "settings">;

/** A place to search the web: its address is what the gates judge before a search. */
export interface SearchEngine {
	/** Hosts that the HTTP list must hold, or none when the engine is not set up. */
	hosts(settings: SettingsDocument): readonly string[];
	/** Where a search begins. */
	address(request: SearchRequest, settings: SettingsDocument): string;
	search(ctx: SearchContext, request: SearchRequest): Promise<SearchOutcome>;
}
