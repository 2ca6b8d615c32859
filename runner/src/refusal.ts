import type { RunnerRefusal } from "../../src/shared/runner-programs";

/** A request that was refused before anything was started. */
export class Refusal extends Error {
	override readonly name = "Refusal";
	readonly code: RunnerRefusal["code"];
	constructor(code: RunnerRefusal["code"], message: string) {
		super(message);
		this.code = code;
	}
}

export const refuse = (code: RunnerRefusal["code"], message: string): Refusal => new Refusal(code, message);

/** HTTP status of each refusal. */
export const statusOf = {
	invalid_input: 400,
	unauthorized: 401,
	not_found: 404,
	program_missing: 404,
	conflict: 409,
	too_large: 413,
	internal: 500,
	lost: 502,
	unreachable: 503,
	sandbox_unavailable: 503,
	draining: 503,
} as const satisfies Record<RunnerRefusal["code"], number>;
