import { onTestFinished } from "vitest";

/** Collects the lines that are logged until the test is over, in place of printing them. */
export function capturedLog(): string[] {
	const lines: string[] = [];
	const { log, error } = console;
	const collect = (...parts: unknown[]) => void lines.push(parts.map(String).join(" "));
	Object.assign(console, { log: collect, error: collect });
	onTestFinished(() => void Object.assign(console, { log, error }));
	return lines;
}
