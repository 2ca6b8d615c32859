import { type RunnerRefusal, runnerRefusal } from "../shared/runner-programs";

/** The way to a runner. Its token is added on the way; paths are those of the runner. */
export interface RunnerPort {
	fetch(request: Request): Promise<Response>;
}

/** The runner said no, could not be reached, or gave up what a program left: nothing has come of it. */
export class RunnerRefused extends Error {
	override readonly name = "RunnerRefused";
	readonly code: RunnerRefusal["code"];
	constructor({ code, message }: Pick<RunnerRefusal, "code" | "message">) {
		super(message);
		this.code = code;
	}
}

/** The runner was asked and its answer did not come, or not whole: what it did is unknown. */
export class RunnerLost extends Error {
	override readonly name = "RunnerLost";
	constructor(detail: string, options?: ErrorOptions) {
		super(`The runner broke off (${detail}), so what it did is unknown.`, options);
	}
}

/** One request to the runner. Throws `RunnerRefused` for an answer of 400 and above that is not in `expected`, `RunnerLost` when none came. */
export async function askRunner(
	port: RunnerPort,
	path: string,
	{ expected = [], ...init }: RequestInit & { expected?: readonly number[] },
): Promise<Response> {
	// Asked for by the standard where a body is a stream; workerd does without.
	const sent: RequestInit & { duplex: "half" } = { ...init, duplex: "half" };
	let response: Response;
	try {
		response = await port.fetch(new Request(`http://runner${path}`, sent));
	} catch (error) {
		if (init.signal?.aborted) throw error;
		throw new RunnerLost("no answer came", { cause: error });
	}
	if (response.ok || expected.includes(response.status)) return response;
	const refusal = runnerRefusal.safeParse(await response.json().catch(() => undefined));
	if (!refusal.success) throw new RunnerLost(`HTTP ${response.status}`);
	if (refusal.data.code === "lost") throw new RunnerLost("the connection ended");
	throw new RunnerRefused(refusal.data);
}
