import { stripControl, truncateChars } from "../lib/text";
import { isRecord, type Json, listOf, recordOf, textOf } from "./json";
import { ModelError, type ModelErrorCode } from "./provider";
import { retryAfterMs } from "./retry-time";

/** An answer that says no, in whichever form the vendor says it. */
export interface Failure {
	readonly vendor: string;
	/** The HTTP status; absent for an error inside a 200. */
	readonly status?: number | undefined;
	/** The parsed body, or its text when it is no JSON. */
	readonly payload: unknown;
	readonly headers?: Headers | undefined;
	readonly now: number;
	/** Takes the key and other secrets out of what the vendor says: some repeat the key. */
	readonly redact: (text: string) => string;
}

interface Complaint {
	/** Code, type and status as one lower-case text. */
	readonly words: string;
	readonly message: string;
	readonly status: number | undefined;
}

type Rule = readonly [code: ModelErrorCode, applies: (complaint: Complaint) => boolean];

const says = (words: RegExp, message?: RegExp) => (complaint: Complaint) =>
	words.test(complaint.words) || (message?.test(complaint.message) ?? false);
const hasStatus =
	(...statuses: readonly number[]) =>
	(complaint: Complaint) =>
		statuses.includes(complaint.status ?? 0);
const either = (first: Rule[1], second: Rule[1]) => (complaint: Complaint) => first(complaint) || second(complaint);

/** The first rule that applies names the code: what a vendor says goes before its HTTP status, which is often a mere 400. */
const rules: readonly Rule[] = [
	[
		"quota_exceeded",
		either(
			hasStatus(402),
			says(
				/insufficient_quota|exceeded_current_quota|insufficient_balance|billing_|arrearage|\b3036\b/,
				/credit balance is too low|insufficient (balance|credits|funds)|daily free allocation/i,
			),
		),
	],
	["tool_use_failed", says(/tool_use_failed/)],
	[
		"content_filter",
		says(/content_filter|content_policy|responsibleai|moderation|data_inspection_failed/, /flagged by/i),
	],
	["overloaded", either(hasStatus(503, 529), says(/overloaded|\b3040\b/, /capacity temporarily exceeded/i))],
	["rate_limited", hasStatus(429)],
	[
		"context_too_long",
		either(
			hasStatus(413),
			says(
				/context_length|context_window|context_size|request_too_large/,
				/(prompt|input) is too long|context (length|window|size)|maximum prompt length|too large for model|input token count|reduce the length/i,
			),
		),
	],
	["rate_limited", says(/rate_?limit|resource_exhausted|too_many_requests|throttl/)],
	[
		"unauthorized",
		either(
			hasStatus(401, 403),
			says(
				/invalid_api_key|authentication|permission_|unauthorized/,
				/api key (not|is not|is in)\s?valid|(incorrect|invalid) api key/i,
			),
		),
	],
	[
		"model_not_found",
		either(
			hasStatus(404),
			says(
				/model_not_found|not_found_error|decommissioned|invalid_model|\b5007\b/,
				/no such model|not a valid model|invalid model\b|model .{1,120}(does not exist|not found|not exist)/i,
			),
		),
	],
	["timeout", either(hasStatus(408, 504), says(/timeout/))],
	[
		"overloaded",
		(complaint) =>
			(complaint.status ?? 0) >= 500 || /server_error|api_error|internal|unavailable/.test(complaint.words),
	],
	["invalid_request", (complaint) => complaint.status !== undefined || /invalid/.test(complaint.words)],
	["bad_response", () => true],
];

const retryable: ReadonlySet<ModelErrorCode> = new Set(["rate_limited", "overloaded", "timeout", "bad_response"]);

const advice: Partial<Record<ModelErrorCode, string>> = {
	unauthorized: "Check the key.",
	model_not_found: "Check the model's name and the base URL.",
	context_too_long: "Start a new session or shorten the history.",
	quota_exceeded: "Check the plan and the billing of the account.",
};

/** The vendor's complaint as an error of ours: what it means, whether and when to try again, and a clean sentence. */
export function vendorError(failure: Failure): ModelError {
	const error = errorObject(failure.payload);
	const status = failure.status ?? statusIn(error);
	const message = messageOf(error);
	const words = [error.code, error.type, error.status].map(textOf).join(" ").toLowerCase();
	const complaint = { words, message, status };
	const code = rules.find(([, applies]) => applies(complaint))?.[0] ?? "bad_response";
	const isRetryable = retryable.has(code);
	return new ModelError(code, sentence(failure, code, message), {
		retryable: isRetryable,
		retryAfterMs: isRetryable ? retryAfterMs(failure.headers, failure.payload, failure.now) : undefined,
		status,
	});
}

/** `{error: {…}}`, `{error: "…"}`, Gemini's `[{error}]`, `{response: {error}}`, Cloudflare's `{errors: […]}`, or the fields laid bare. */
function errorObject(payload: unknown): Json {
	if (typeof payload === "string") return { message: payload };
	const body = recordOf(Array.isArray(payload) ? payload[0] : payload);
	const error = body.error ?? recordOf(body.response).error ?? listOf(body.errors)[0];
	if (typeof error === "string") return { ...body, message: error };
	return isRecord(error) ? error : body;
}

/** Some say the status inside the error, as the code or beside it. */
function statusIn(error: Json): number | undefined {
	const candidates = [error.code, error.status_code, error.status].map(Number);
	return candidates.find((status) => Number.isInteger(status) && status >= 400 && status < 600);
}

/** The vendor's words; a gateway's "Provider returned error" is followed by what the provider said. */
function messageOf(error: Json): string {
	const message = textOf(error.message) || (error.detail === undefined ? "" : JSON.stringify(error.detail));
	const raw = textOf(recordOf(error.metadata).raw);
	return raw === "" ? message : `${message}: ${raw}`;
}

const maxMessageChars = 300;

function sentence({ vendor, status, redact }: Failure, code: ModelErrorCode, message: string): string {
	const said = truncateChars(stripControl(redact(message)).replace(/\s+/g, " ").trim(), maxMessageChars);
	const how = status === undefined ? "failed within its answer" : `answered HTTP ${status}`;
	const what = said === "" ? "." : `: ${/[.!?]$/.test(said) ? said : `${said}.`}`;
	return [`${vendor} ${how}${what}`, advice[code]].filter(Boolean).join(" ");
}
