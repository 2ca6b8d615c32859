import type { ServerFailure, ServerFailureReason } from "../../../src/shared/runner-servers";
import { errorText, type IdText } from "./message";

/** Why a request was not answered by the server. */
export class ServerFailed extends Error {
	override readonly name = "ServerFailed";
	readonly failure: ServerFailure;
	constructor(failure: ServerFailure, message: string) {
		super(message);
		this.failure = failure;
	}

	/** The HTTP status; a request that may have had effects is answered, so that nobody takes it for one that was not sent. */
	get status(): number {
		return this.failure.outcome === "not_started" ? 503 : 200;
	}

	/** As a JSON-RPC error. -32001 is what clients know for a request that took too long. */
	textFor(id: IdText | null): string {
		return errorText(id, this.failure.reason === "timed_out" ? -32001 : -32000, this.message, this.failure);
	}
}

/** The server never saw the request. */
export const notStarted = (reason: ServerFailureReason, message: string, retryAfterMs?: number): ServerFailed =>
	new ServerFailed({ reason, outcome: "not_started", ...(retryAfterMs !== undefined && { retryAfterMs }) }, message);

/** The server had the request. */
export const outcomeUnknown = (reason: ServerFailureReason, message: string): ServerFailed =>
	new ServerFailed({ reason, outcome: "unknown" }, `${message} The outcome of the request is unknown.`);

/** What went wrong before the server got anything. */
export function toFailed(error: unknown): ServerFailed {
	if (error instanceof ServerFailed) return error;
	const isMissing = error instanceof Error && error.name === "ProgramMissing";
	const message = error instanceof Error ? error.message : String(error);
	return notStarted(isMissing ? "launcher_unavailable" : "start_failed", message);
}
