import { hostKind } from "./host-kind";

/** Why a URL is refused. */
export type UrlReason =
	| "raw_url_forbidden_char"
	| "invalid_url"
	| "scheme_not_allowed"
	| "userinfo_forbidden"
	| "invalid_host"
	| "reserved_name"
	| "private_address"
	| "host_not_allowed"
	| "port_not_allowed";

/** `public` also opens every public host, by https on its default port. */
export type UrlRules = (
	| { readonly mode: "listed"; readonly entries: readonly string[] }
	| { readonly mode: "public"; readonly entries?: readonly string[] }
) & {
	/** Development only: loopback is reached when it is listed, and freely in mode `public`. */
	readonly allowLoopback: boolean;
	/** Which list the entries are, for the words of a refusal; the HTTP list when absent. */
	readonly list?: "http" | "browser";
};

export type RefusedUrl = { ok: false; reason: UrlReason; message: string };
export type UrlVerdict = { ok: true; url: URL } | RefusedUrl;

/** Words a refusal: the rule, the list that holds it, and the way to add an entry where one would help. Shows no more of the URL than scheme, host and port. */
export function refuseUrl(reason: UrlReason, rules: UrlRules, url?: URL): RefusedUrl {
	return { ok: false, reason, message: sentences[reason](url, rules) };
}

const nameOf = ({ list }: UrlRules) => (list === "browser" ? "browser list" : "HTTP list");

/** How to list `value`, where there is a list. */
function toAllow(value: string, { entries, list }: UrlRules): string {
	if (!entries) return "";
	if (list === "browser")
		return ` To allow it, add ${JSON.stringify(value)} to "browser.allowedDomains" of the settings.`;
	return ` To allow it: POST /api/v1/sandbox/whitelist/HTTP ${JSON.stringify({ value })}.`;
}

type Sentence = (url: URL | undefined, rules: UrlRules) => string;

const sentences: Readonly<Record<UrlReason, Sentence>> = {
	raw_url_forbidden_char: (_, rules) =>
		`The ${nameOf(rules)} judges a URL as it is written: it may hold no blank, backslash, control or invisible character. Percent-encode them.`,
	invalid_url: (_, rules) =>
		`This is no URL that the ${nameOf(rules)} can judge: write it whole, as in https://host/path, in at most 8,192 characters.`,
	userinfo_forbidden: (_, rules) =>
		`A URL may not carry a user name or password, whatever the ${nameOf(rules)} allows. Send credentials in a header.`,
	invalid_host: (_, rules) => `The host has an empty label or ends in a dot, so the ${nameOf(rules)} cannot hold it.`,
	reserved_name: (url, rules) =>
		`${url?.hostname} is a name of this machine or a local network, which is ${barred(rules)}.${howToDevelop(url)}`,
	private_address: (url, rules) =>
		`${url?.hostname} is a private or special address, which is ${barred(rules)}.${howToDevelop(url)}`,
	host_not_allowed: (url, rules) => notOnList(url?.hostname ?? "", rules),
	scheme_not_allowed: (url, rules) => wrongScheme(url, rules),
	port_not_allowed: (url, rules) => wrongPort(url, rules),
};

const barred = (rules: UrlRules) =>
	rules.entries ? `refused even when it is on the ${nameOf(rules)}` : "refused, whatever is listed";

const howToDevelop = (url: URL | undefined) =>
	hostKind(url?.hostname ?? "").startsWith("loopback")
		? " In development, ORYX_ALLOW_LOOPBACK=1 opens the addresses of the machine itself."
		: "";

function notOnList(hostname: string, rules: UrlRules): string {
	if (rules.mode === "listed") return `${hostname} is not on the ${nameOf(rules)}.${toAllow(hostname, rules)}`;
	return `${hostname} is an address, and only names are open to all.${toAllow(hostname, rules)}`;
}

function wrongScheme(url: URL | undefined, rules: UrlRules): string {
	if (url?.protocol !== "http:")
		return `Only https URLs can be on the ${nameOf(rules)}, not ${url?.protocol.slice(0, 20)} ones.`;
	if (!rules.entries) return `${url.hostname} is reached by https only.`;
	return `${url.hostname} is reached by https only, unless its entry on the ${nameOf(rules)} begins with http://.${toAllow(entryFor(url), rules)}`;
}

function wrongPort(url: URL | undefined, rules: UrlRules): string {
	if (!rules.entries) return `${url?.hostname} is reached on its default port only.`;
	const rule = "an entry opens the default port, or the one that it names";
	return `This port of ${url?.hostname} is not on the ${nameOf(rules)}: ${rule}.${toAllow(entryFor(url), rules)}`;
}

const entryFor = (url: URL | undefined) => `${url?.protocol === "http:" ? "http://" : ""}${url?.host ?? ""}`;
