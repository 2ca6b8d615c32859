import { FetchFailed, UrlRefused } from "../../gates/gated-fetch";
import { failure, type ToolResult } from "../../shared/tool-result";

/** Methods that change nothing at the other end. */
export const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Does `work`; a request that was refused or failed becomes the result that the model reads.
 * Whatever else goes wrong is thrown on: it is no answer to a request.
 */
export async function orFetchFailure(method: string, work: () => Promise<ToolResult>): Promise<ToolResult> {
	try {
		return await work();
	} catch (error) {
		return fetchFailure(method, error);
	}
}

/** Throws `error` on when it tells of no request. */
function fetchFailure(method: string, error: unknown): ToolResult {
	if (error instanceof UrlRefused) {
		return failure("not_listed", error.message, { meta: { gate: "lists", reason: error.reason } });
	}
	if (!(error instanceof FetchFailed)) throw error;
	const code = codes[error.reason];
	const meta = { reason: error.reason };
	if (readMethods.has(method)) return failure(code, error.message, { retryable: isPassing(error), meta });
	const message = `${error.message} The server may have acted on the ${method} all the same, so look before you send it again.`;
	return failure(code, message, { meta });
}

const codes = {
	timeout: "timeout",
	cancelled: "cancelled",
	network: "upstream",
	too_many_redirects: "upstream",
	too_large: "too_large",
} as const;

const isPassing = ({ reason }: FetchFailed): boolean => reason === "timeout" || reason === "network";
