/** Structured log lines; facts are plain values and never hold a secret, a body or an argument. */
export interface Log {
	info(event: string, facts?: Readonly<Record<string, unknown>>): void;
	error(event: string, facts?: Readonly<Record<string, unknown>>): void;
}

/** Writes one JSON line for each event. */
export function createLog(write: (line: string) => void): Log {
	const line =
		(level: string) =>
		(event: string, facts: Readonly<Record<string, unknown>> = {}) =>
			write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...facts })}\n`);
	return { info: line("info"), error: line("error") };
}
