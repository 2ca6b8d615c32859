/** Every failure this system names, and the HTTP status each becomes. */
export const statusOf = {
	invalid_input: 400,
	unauthorized: 401,
	forbidden: 403,
	not_found: 404,
	conflict: 409,
	builtin_managed: 409,
	precondition_failed: 412,
	too_large: 413,
	unsupported_media_type: 415,
	range_not_satisfiable: 416,
	rate_limited: 429,
	misconfigured: 500,
	internal: 500,
	upstream: 502,
	unavailable: 503,
} as const;
export type AppErrorCode = keyof typeof statusOf;

/** An expected failure. `message` may be shown to the caller; `cause` is for the log only. */
export class AppError extends Error {
	override readonly name = "AppError";
	readonly code: AppErrorCode;
	readonly details: unknown;
	constructor(code: AppErrorCode, message: string, options?: ErrorOptions & { details?: unknown }) {
		super(message, options);
		this.code = code;
		this.details = options?.details;
	}
}

/** Known by shape, not `instanceof`: an error that crossed Durable Object RPC has lost its class. */
export function toAppError(error: unknown): AppError {
	const known =
		error instanceof Error && error.name === "AppError" && Object.hasOwn(statusOf, (error as AppError).code);
	return known ? (error as AppError) : new AppError("internal", "Something went wrong.", { cause: error });
}
