import { hostKind } from "./host-kind";

/** One entry of a host list, parsed. */
export interface HostEntry {
	/** Canonical: lower case, IDN in ASCII, an IPv6 address in brackets. */
	readonly host: string;
	/** `*.host`: every name below the host, at any depth, and not the host itself. */
	readonly wildcard: boolean;
	/** The only port, or undefined for the default one. */
	readonly port: string | undefined;
	/** Begins with `http://`: plain http is allowed besides https. */
	readonly plainHttp: boolean;
}

export type ParsedEntry = { ok: true; entry: HostEntry } | { ok: false; problem: string };

const problem = (text: string): ParsedEntry => ({ ok: false, problem: text });

/** Reads `host`, `*.host`, `host:port` or `http://host`; a problem is a sentence that says how to write it. */
export function parseHostEntry(text: string): ParsedEntry {
	if (/^https:/i.test(text)) return problem('Leave out "https://": it is meant unless an entry starts with "http://".');
	const plainHttp = /^http:\/\//i.test(text);
	const rest = plainHttp ? text.slice("http://".length) : text;
	if (/[^\p{L}\p{M}\p{N}.:*[\]_-]/u.test(rest)) {
		return problem(
			'Write the host alone, as in "api.example.com": no scheme but "http://", no path, query, userinfo or blank.',
		);
	}
	const wildcard = rest.startsWith("*.");
	const [, name = "", port] = /^(.*?)(?::(\d{1,5}))?$/.exec(wildcard ? rest.slice(2) : rest) ?? [];
	if (name.includes("*")) return problem(starProblem);
	if (name.includes(":") && !/^\[[^\]]*\]$/.test(name)) {
		return problem('Write one port after the host, as in "example.com:8443", and an IPv6 address in brackets.');
	}
	if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
		return problem("A port lies between 1 and 65535.");
	const hostname = URL.parse(`https://${name}`)?.hostname ?? "";
	const fault = hostFault(hostname, wildcard);
	if (fault) return problem(fault);
	return { ok: true, entry: { host: hostname, wildcard, port: namedPort(port, plainHttp), plainHttp } };
}

const starProblem =
	'A star stands only in front, as in "*.example.com". To open reads of every public host, set "http.readMode" to "public".';

/** 443 says nothing new of an https entry. */
const namedPort = (port: string | undefined, plainHttp: boolean) =>
	port === undefined || (Number(port) === 443 && !plainHttp) ? undefined : String(Number(port));

function hostFault(hostname: string, wildcard: boolean): string | undefined {
	const kind = hostKind(hostname);
	if (kind === "private-address") return "Private and special addresses are never reached, so they cannot be listed.";
	if (kind === "reserved-name") return "Names of a local network are never reached, so they cannot be listed.";
	const isAddress = kind === "public-address" || kind === "loopback-address";
	if (isAddress) return wildcard ? "An address has nothing below it: list the address alone." : undefined;
	if (hostname.length > 253 || !/^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/.test(hostname)) {
		return 'This is no host name. Write it as in "api.example.com", without empty labels or a dot at the end.';
	}
	if (hostname.includes(".") || (hostname === "localhost" && !wildcard)) return undefined;
	return wildcard
		? 'A whole top-level domain is too wide: name at least two labels, as in "*.example.com".'
		: 'Write the full domain name, as in "api.example.com".';
}

/** The one spelling under which an entry is stored. */
export const showHostEntry = ({ host, wildcard, port, plainHttp }: HostEntry): string =>
	`${plainHttp ? "http://" : ""}${wildcard ? "*." : ""}${host}${port === undefined ? "" : `:${port}`}`;
