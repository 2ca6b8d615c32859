import { UrlRefused } from "./fetch-errors";
import type { HttpMethod } from "./headers";
import { judgeUrl } from "./url";
import type { UrlRules } from "./url-verdict";

/** One request of a chain of redirects; `url` is the canonical one that was judged. */
export interface Hop {
	readonly url: URL;
	readonly method: HttpMethod;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | undefined;
}

/** All that another origin may see: any other header could be a credential. */
const harmlessHeaders: ReadonlySet<string> = new Set([
	"accept",
	"accept-language",
	"cache-control",
	"content-language",
	"content-type",
	"pragma",
	"range",
	"user-agent",
]);

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/**
 * The request that a redirect asks for. Throws `UrlRefused` when its target is not allowed.
 * 307 and 308 repeat method and body; the others become a GET, but a HEAD stays one.
 */
export function nextHop(
	from: Hop,
	{ status, location }: { readonly status: number; readonly location: string },
	rulesFor: (method: HttpMethod) => UrlRules,
): Hop {
	const repeats = status === 307 || status === 308;
	const method = repeats || from.method === "HEAD" ? from.method : "GET";
	const target = URL.parse(location, from.url)?.href ?? location;
	if (from.url.protocol === "https:" && /^http:/i.test(target)) {
		throw new UrlRefused("redirect_downgrade", `${from.url.hostname} redirects from https to http, which is refused.`);
	}
	const verdict = judgeUrl(target, rulesFor(method));
	if (!verdict.ok) {
		const message = `${from.url.hostname} redirects to a target that is refused (${verdict.reason}). ${verdict.message}`;
		throw new UrlRefused("redirect_target_denied", message);
	}
	const crosses = verdict.url.origin !== from.url.origin;
	const mayKeep = (name: string) =>
		(!crosses || harmlessHeaders.has(name)) && (repeats || !name.startsWith("content-"));
	const headers = Object.fromEntries(Object.entries(from.headers).filter(([name]) => mayKeep(name.toLowerCase())));
	return { url: verdict.url, method, headers, body: repeats ? from.body : undefined };
}
