import type { Invocation } from "../db/tool-invocations";

interface ExportFormat {
	readonly contentType: string;
	readonly head: string;
	line(row: Invocation): string;
}

const columns = [
	"id",
	"createdAt",
	"toolName",
	"success",
	"code",
	"gate",
	"errorMessage",
	"durationMs",
	"agent",
	"sessionId",
	"turnId",
	"principal",
	"argumentDigest",
	"inputJson",
	"resultJson",
] as const satisfies readonly (keyof Invocation)[];

export const formats: Readonly<Record<"ndjson" | "csv", ExportFormat>> = {
	ndjson: { contentType: "application/x-ndjson", head: "", line: (row) => `${JSON.stringify(row)}\n` },
	csv: {
		contentType: "text/csv; charset=utf-8; header=present",
		head: `${columns.join(",")}\r\n`,
		line: (row) => `${columns.map((column) => csvCell(row[column])).join(",")}\r\n`,
	},
};

/** One cell after RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front; some take the wide signs of East Asia, too. */
export function csvCell(value: string | number | boolean | Date | null): string {
	if (value === null) return "";
	const text = value instanceof Date ? value.toISOString() : String(value);
	const safe = typeof value === "string" && /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Bytes of the rows, read a page at a time as the client takes them. */
export function streamRows(
	pages: AsyncGenerator<readonly Invocation[]>,
	format: ExportFormat,
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	return new ReadableStream({
		start(controller) {
			if (format.head) controller.enqueue(encoder.encode(format.head));
		},
		async pull(controller) {
			const { value, done } = await pages.next();
			if (done) return controller.close();
			controller.enqueue(encoder.encode(value.map(format.line).join("")));
		},
		async cancel() {
			await pages.return(undefined);
		},
	});
}
