import type { GatedResponse } from "../../gates/gated-fetch";
import type { ToolResult } from "../../shared/tool-result";
import { decodeBody } from "./decode-body";

const maxHeaderChars = 8_000;

/** An answer that arrived is a success whatever its status: status line, headers, then the body as text. */
export function showResponse(asked: string, response: GatedResponse, headers: "all" | "brief"): ToolResult {
	const { status, truncated } = response;
	const body = decodeBody(response);
	const lines = [
		`HTTP ${status}${reasonFor(status)}`,
		...(response.url === withoutFragment(asked) ? [] : [`(answered by ${response.url})`]),
		...headerLines(response.headers, headers),
		"",
		body.text ?? describeBinary(body.mediaType, response),
		...(truncated && body.text !== undefined
			? [`[Cut here: the body is longer than the ${response.body.length} bytes that were read.]`]
			: []),
	];
	return { success: true, content: lines.join("\n"), meta: { httpStatus: status, ...(truncated && { truncated }) } };
}

const describeBinary = (mediaType: string, { body, truncated }: Pick<GatedResponse, "body" | "truncated">): string =>
	`[${mediaType}, ${truncated ? "more than " : ""}${body.length} bytes: not text, so it is not shown.]`;

function headerLines(headers: Headers, which: "all" | "brief"): string[] {
	const brief = ["content-type", "location", "retry-after"];
	const shown = [...headers].filter(([name]) => which === "all" || brief.includes(name));
	const text = shown.map(([name, value]) => `${name}: ${value}`).join("\n");
	if (text === "") return [];
	return text.length <= maxHeaderChars ? [text] : [text.slice(0, maxHeaderChars), "[More headers were left out.]"];
}

const withoutFragment = (url: string): string => {
	const parsed = URL.parse(url);
	if (!parsed) return url;
	parsed.hash = "";
	return parsed.href;
};

const reasons: Readonly<Record<number, string>> = {
	200: "OK",
	201: "Created",
	202: "Accepted",
	204: "No Content",
	206: "Partial Content",
	301: "Moved Permanently",
	302: "Found",
	304: "Not Modified",
	307: "Temporary Redirect",
	308: "Permanent Redirect",
	400: "Bad Request",
	401: "Unauthorized",
	403: "Forbidden",
	404: "Not Found",
	405: "Method Not Allowed",
	409: "Conflict",
	410: "Gone",
	415: "Unsupported Media Type",
	422: "Unprocessable Content",
	429: "Too Many Requests",
	500: "Internal Server Error",
	502: "Bad Gateway",
	503: "Service Unavailable",
	504: "Gateway Timeout",
};

/** The status line's words: HTTP/2 and 3 no longer send them. */
export const reasonFor = (status: number): string => (reasons[status] ? ` ${reasons[status]}` : "");

/** Whether the same request may be answered otherwise later. */
export const isPassingStatus = (status: number): boolean => [202, 408, 425, 429].includes(status) || status >= 500;
