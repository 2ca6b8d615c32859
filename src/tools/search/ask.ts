import type * as z from "zod";
import { parseJson } from "../../lib/parse-json";
import { failure, type ToolResult } from "../../shared/tool-result";
import { decodeBody } from "../http/decode-body";
import { requestLimits } from "../http/limits";
import { isPassingStatus, reasonFor } from "../http/show-response";
import type { SearchContext } from "./engine";

export type Asked<Answer> = { ok: true; answer: Answer } | { ok: false; result: ToolResult };

export interface Question {
	readonly url: string;
	/** The engine's name, for the words of a failure. */
	readonly engine: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** What an HTTP status means with this engine, where it means something of its own. */
	readonly explain?: Readonly<Record<number, string>>;
}

/** Asks a search engine and reads its JSON by `schema`; throws only what the fetch throws. */
export async function askForJson<Schema extends z.ZodType>(
	ctx: SearchContext,
	question: Question,
	schema: Schema,
): Promise<Asked<z.output<Schema>>> {
	const asked = await askForText(ctx, { ...question, headers: { accept: "application/json", ...question.headers } });
	if (!asked.ok) return asked;
	const json = parseJson(asked.answer);
	const parsed = json.ok ? schema.safeParse(json.value) : undefined;
	if (parsed?.success) return { ok: true, answer: parsed.data };
	return {
		ok: false,
		result: failure("upstream", `${question.engine} gave an answer that is no search result.`, { retryable: true }),
	};
}

/** Asks a search engine for a page. */
export async function askForText(
	{ fetch, settings }: SearchContext,
	{ url, engine, headers, explain }: Question,
): Promise<Asked<string>> {
	const { maxBytes } = requestLimits(settings);
	const timeoutMs = settings.webSearch.timeoutSeconds * 1_000;
	const response = await fetch(url, { list: "http", maxBytes, timeoutMs, ...(headers && { headers }) });
	const { status } = response;
	if (status === 200) return { ok: true, answer: decodeBody(response).text ?? "" };
	const why = explain?.[status] ?? (status === 429 ? "It wants fewer searches; try again later." : "");
	const message = `${engine} answered HTTP ${status}${reasonFor(status)}. ${why}`.trimEnd();
	return {
		ok: false,
		result: failure("upstream", message, { retryable: isPassingStatus(status), meta: { httpStatus: status } }),
	};
}
