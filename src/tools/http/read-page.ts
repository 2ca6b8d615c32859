import type { GatedResponse } from "../../gates/gated-fetch";
import { parseJson } from "../../lib/parse-json";
import { truncateChars } from "../../lib/text";
import { failure, type ToolResult } from "../../shared/tool-result";
import { cleanText } from "../html/clean-text";
import { toMarkdown } from "../html/to-markdown";
import type { ToolContext } from "../tool";
import { decodeBody } from "./decode-body";
import { orFetchFailure } from "./fetch-failure";
import { requestLimits } from "./limits";
import { isPassingStatus, reasonFor } from "./show-response";

/** A site that can answer Markdown itself knows best what its page says. */
const headers = {
	accept:
		"text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1",
};
/** What title, address and notes may take of the characters. */
const frameChars = 1_500;

/** Reads a page for a model: HTML as Markdown, JSON indented, other text as it is; at most `maxChars` in all. */
export function readPage(
	{ fetch, settings }: Pick<ToolContext, "fetch" | "settings">,
	{ url, list, maxChars }: { url: string; list: "http" | "browser"; maxChars: number },
): Promise<ToolResult> {
	return orFetchFailure("GET", async () => {
		const response = await fetch(url, { list, headers, ...requestLimits(settings) });
		if (response.status < 200 || response.status > 299) return refusedPage(response);
		const body = decodeBody(response);
		if (body.text === undefined) return binaryPage(response, body.mediaType);
		const page = await readable(body.text, body.mediaType, response.url, Math.max(maxChars - frameChars, maxChars / 2));
		return showPage(page, response);
	});
}

interface ReadablePage {
	readonly title: string;
	readonly text: string;
	readonly notes: readonly string[];
	readonly totalChars: number | undefined;
}

async function readable(text: string, mediaType: string, baseUrl: string, maxChars: number): Promise<ReadablePage> {
	if (/html/.test(mediaType)) {
		const { markdown, ...page } = await toMarkdown(text, { baseUrl, maxChars });
		return { ...page, text: markdown };
	}
	const whole = cleanText(/json$/.test(mediaType) ? indentJson(text) : text).trim();
	const totalChars = whole.length > maxChars ? whole.length : undefined;
	return { title: "", text: truncateChars(whole, maxChars), notes: [], totalChars };
}

/** Text that is no JSON after all, cut at the byte limit for one, stays as it is. */
function indentJson(text: string): string {
	const parsed = parseJson(text);
	return parsed.ok ? JSON.stringify(parsed.value, null, 2) : text;
}

function showPage(
	{ title, text, notes, totalChars }: ReadablePage,
	{ url, status, body, truncated }: GatedResponse,
): ToolResult {
	const isCut = totalChars !== undefined || truncated;
	const remarks = [
		...notes,
		...(totalChars === undefined
			? []
			: [`Cut here: these are the first ${text.length} of ${totalChars} characters that were read.`]),
		...(truncated ? [`Only the first ${body.length} bytes of the page were read.`] : []),
	];
	const parts = [
		[...(title ? [`Title: ${title}`] : []), `URL: ${truncateChars(url, 500)}`].join("\n"),
		text || "(There is no readable text on this page.)",
		...remarks.map((remark) => `[${remark}]`),
	];
	const meta = {
		httpStatus: status,
		...(isCut && { truncated: true }),
		...(totalChars !== undefined && { totalChars }),
	};
	return { success: true, content: parts.join("\n\n"), meta };
}

function refusedPage({ url, status }: GatedResponse): ToolResult {
	return failure(
		"upstream",
		`${truncateChars(url, 500)} answered HTTP ${status}${reasonFor(status)}, so there is no page to read.`,
		{
			retryable: isPassingStatus(status),
			meta: { httpStatus: status },
		},
	);
}

const binaryPage = ({ url, status, body, truncated }: GatedResponse, mediaType: string): ToolResult =>
	failure(
		"upstream",
		`${truncateChars(url, 500)} is ${mediaType} (${truncated ? "more than " : ""}${body.length} bytes), which is no text. Only HTML, JSON and other text can be read.`,
		{ meta: { httpStatus: status } },
	);
