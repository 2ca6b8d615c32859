import type { HostEntry } from "./host-entry";
import { type HostKind, hostKind } from "./host-kind";
import { entriesFor } from "./host-list";
import { type RefusedUrl, refuseUrl, type UrlRules, type UrlVerdict } from "./url-verdict";

export type { UrlRules, UrlVerdict } from "./url-verdict";

const maxLength = 8192;

/**
 * Decides whether a request may go to `raw`. Pure; never throws.
 * Send the request to the `url` of the verdict and to nothing else: the decision was made on it.
 */
export function judgeUrl(raw: string, rules: UrlRules): UrlVerdict {
	const malformed = judgeRaw(raw, rules);
	if (malformed) return malformed;
	const url = URL.parse(raw);
	if (!url) return refuseUrl("invalid_url", rules);
	return judgeShape(raw, url, rules) ?? judgeHost(url, rules) ?? judgeEntries(url, rules);
}

/** What the parser would silently drop, turn or trim: the text that people see would differ from what is sent. */
function judgeRaw(raw: string, rules: UrlRules): RefusedUrl | undefined {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	if (/[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\\]/.test(raw)) {
		return refuseUrl("raw_url_forbidden_char", rules);
	}
	return raw.length > maxLength ? refuseUrl("invalid_url", rules) : undefined;
}

function judgeShape(raw: string, url: URL, rules: UrlRules): RefusedUrl | undefined {
	if (url.protocol !== "https:" && url.protocol !== "http:") return refuseUrl("scheme_not_allowed", rules, url);
	// The parser forgets an empty userinfo, as in https://@host/.
	if (url.username || url.password || /^[a-z]+:\/*[^/?#]*@/i.test(raw)) return refuseUrl("userinfo_forbidden", rules);
	const { hostname } = url;
	const hasEmptyLabel = hostname.startsWith(".") || hostname.endsWith(".") || hostname.includes("..");
	return hostname === "" || hasEmptyLabel ? refuseUrl("invalid_host", rules) : undefined;
}

const isLoopback = (kind: HostKind) => kind === "loopback-address" || kind === "loopback-name";

/** Hosts that no list can open. */
function judgeHost(url: URL, rules: UrlRules): RefusedUrl | undefined {
	const kind = hostKind(url.hostname);
	if (isLoopback(kind) && rules.allowLoopback) return undefined;
	if (kind === "private-address" || kind === "loopback-address") return refuseUrl("private_address", rules, url);
	return kind === "reserved-name" || kind === "loopback-name" ? refuseUrl("reserved_name", rules, url) : undefined;
}

function judgeEntries(url: URL, rules: UrlRules): UrlVerdict {
	const entries = entriesFor(rules.entries ?? [], url.hostname);
	const ofScheme = entries.filter((entry) => allowsScheme(entry, url));
	if (ofScheme.some((entry) => allowsPort(entry, url))) return { ok: true, url };
	if (rules.mode === "public") return judgePublic(url, rules);
	if (entries.length === 0) return refuseUrl("host_not_allowed", rules, url);
	return refuseUrl(ofScheme.length === 0 ? "scheme_not_allowed" : "port_not_allowed", rules, url);
}

/** Loopback has no certificates, so its entries mean plain http as well. */
const allowsScheme = (entry: HostEntry, url: URL) =>
	url.protocol === "https:" || entry.plainHttp || isLoopback(hostKind(url.hostname));

function allowsPort({ port }: HostEntry, url: URL): boolean {
	if (port === undefined) return url.port === "";
	return port === (url.port || (url.protocol === "https:" ? "443" : "80"));
}

function judgePublic(url: URL, rules: UrlRules): UrlVerdict {
	const kind = hostKind(url.hostname);
	if (isLoopback(kind)) return { ok: true, url };
	if (kind !== "name") return refuseUrl("host_not_allowed", rules, url);
	if (!url.hostname.includes(".")) return refuseUrl("reserved_name", rules, url);
	if (url.protocol !== "https:") return refuseUrl("scheme_not_allowed", rules, url);
	return url.port === "" ? { ok: true, url } : refuseUrl("port_not_allowed", rules, url);
}
