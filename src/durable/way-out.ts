import type { GatedFetchOptions } from "../gates/gated-fetch";
import { type Lists, urlRules } from "../gates/touches";

/** How the world is reached by the lists in force: everything of a gated fetch but how much it may bring. */
export const wayOut = (
	lists: Lists,
	{ fetcher, signal }: { fetcher: typeof fetch; signal: AbortSignal },
): Omit<GatedFetchOptions, "maxBytes"> => ({
	fetch: fetcher,
	rulesFor: (list, method) => urlRules(lists, list, method),
	signal,
	timeoutMs: lists.settings.http.timeoutSeconds * 1000,
});
