import type * as z from "zod";
import { refuse } from "../refusal";

const newline = 0x0a;

/**
 * Takes the first line of a body, which is JSON, and leaves the rest as it comes. Throws a Refusal when the line has over
 * `maxBytes`, is no JSON, or is not what `schema` asks for.
 */
export async function readRequest<Schema extends z.ZodType>(
	body: ReadableStream<Uint8Array> | null,
	{ schema, maxBytes }: { schema: Schema; maxBytes: number },
): Promise<{ request: z.output<Schema>; rest: ReadableStream<Uint8Array> }> {
	if (!body) throw refuse("invalid_input", "The body is empty; its first line is due to be JSON.");
	const reader = body.getReader();
	const { line, after } = await readLine(reader, maxBytes);
	return { request: parse(line, schema), rest: remaining(reader, after) };
}

async function readLine(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number) {
	const pieces: Uint8Array[] = [];
	for (let bytes = 0; ; ) {
		const { value, done } = await reader.read();
		if (done) return { line: Buffer.concat(pieces).toString(), after: undefined };
		const end = value.indexOf(newline);
		bytes += end < 0 ? value.length : end;
		if (bytes > maxBytes) throw refuse("too_large", `The first line of the body may have at most ${maxBytes} bytes.`);
		pieces.push(end < 0 ? value : value.subarray(0, end));
		if (end >= 0) return { line: Buffer.concat(pieces).toString(), after: value.subarray(end + 1) };
	}
}

function parse<Schema extends z.ZodType>(line: string, schema: Schema): z.output<Schema> {
	let json: unknown;
	try {
		json = JSON.parse(line);
	} catch {
		throw refuse("invalid_input", "The first line of the body is not JSON.");
	}
	const parsed = schema.safeParse(json);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	throw refuse("invalid_input", `${issue?.path.join(".") || "The request"}: ${issue?.message ?? "not understood"}`);
}

function remaining(reader: ReadableStreamDefaultReader<Uint8Array>, first: Uint8Array | undefined) {
	return new ReadableStream<Uint8Array>({
		start(controller) {
			if (first && first.length > 0) controller.enqueue(first);
		},
		async pull(controller) {
			const { value, done } = await reader.read();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		cancel: (reason) => reader.cancel(reason),
	});
}

/** Reads a stream to its end and keeps nothing. Never throws. */
export async function discard(stream: ReadableStream<Uint8Array>): Promise<void> {
	await stream.pipeTo(new WritableStream()).catch(() => {});
}
