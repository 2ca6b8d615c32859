import type { Readable } from "node:stream";
import * as z from "zod";

/** What the launcher says of a program: that it runs or why not, and once more when all is over. */
const report = z.union([
	z.object({ started: z.literal(true) }),
	z.object({ failed: z.string(), errno: z.number() }),
	z.object({
		exitCode: z.number().optional(),
		signal: z.number().optional(),
		overMemory: z.boolean(),
		cpuMs: z.number(),
		peakMemoryBytes: z.number(),
	}),
]);
export type Report = z.output<typeof report>;

/** Reads one report a line; ends when the launcher is gone. */
export async function* readReports(line: Readable): AsyncGenerator<Report, undefined> {
	let unread = "";
	try {
		for await (const bytes of line) {
			unread += String(bytes);
			const lines = unread.split("\n");
			unread = lines.pop() ?? "";
			for (const text of lines) yield report.parse(JSON.parse(text));
		}
	} catch (error) {
		if (error instanceof SyntaxError || error instanceof z.ZodError) throw error;
	}
	return undefined;
}
