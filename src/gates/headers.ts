/** The methods that a tool may use; a closed list, so TRACE and CONNECT are out. */
export const httpMethods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof httpMethods)[number];

export type RequestReason = "invalid_method" | "invalid_header" | "forbidden_header";

export type RequestVerdict = { ok: true; method: HttpMethod } | { ok: false; reason: RequestReason; message: string };

const maxHeaders = 64;
const maxHeaderChars = 32_768;

/** Names that belong to the connection, to a proxy or to the platform, or that would turn one request into another. */
const forbidden =
	/^(?:host|content-length|transfer-encoding|connection|upgrade|te|trailer|keep-alive|expect|via|forwarded|true-client-ip|x-http-method|x-(?:http-)?method-override|x-host|x-original-.*|x-rewrite-.*|(?:x-)?(?:real|client|cluster-client|remote)-(?:ip|addr)|(?:proxy|cf|x-forwarded|sec)-.*)$/;

/** Many servers hand a header on as a variable, where `X_Forwarded_For` and `X-Forwarded-For` are one. */
const isForbidden = (name: string) => forbidden.test(name.toLowerCase().replaceAll("_", "-"));

/** Decides whether a method and its headers may be sent; the method comes back in upper case. */
export function judgeRequest({
	method,
	headers = {},
}: {
	readonly method: string;
	readonly headers?: Readonly<Record<string, string>> | undefined;
}): RequestVerdict {
	const known = httpMethods.find((name) => name === method.toUpperCase());
	if (!known) return refused("invalid_method", `The method must be one of ${httpMethods.join(", ")}.`);
	const entries = Object.entries(headers);
	if (entries.length > maxHeaders) return refused("invalid_header", `A request carries at most ${maxHeaders} headers.`);
	if (entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > maxHeaderChars) {
		return refused("invalid_header", `All headers together have at most ${maxHeaderChars} characters.`);
	}
	for (const [name, value] of entries) {
		const fault = judgeHeader(name, value);
		if (fault) return fault;
	}
	return { ok: true, method: known };
}

const refused = (reason: RequestReason, message: string): RequestVerdict => ({ ok: false, reason, message });

function judgeHeader(name: string, value: string): RequestVerdict | undefined {
	if (!/^[!#$%&'*+.^_`|~\w-]{1,128}$/.test(name)) {
		return refused("invalid_header", "A header name is made of letters, digits and dashes, without blanks.");
	}
	if (isForbidden(name)) return refused("forbidden_header", `The header ${name} may not be set.`);
	// Of other characters the platform says so in the log, with the whole value, which may be a credential.
	if (!/^[\t\x20-\x7e]*$/.test(value)) {
		return refused(
			"invalid_header",
			`The value of the header ${name} holds a line break, a control character or one beyond ASCII.`,
		);
	}
	return undefined;
}
