import { isRecord, type Json, recordOf } from "./json";
import { ModelError, type ModelEvent } from "./provider";
import { type SseEvent, sseReader } from "./sse";
import type { Translator } from "./translator";
import { vendorError } from "./vendor-error";

export interface AnswerOptions {
	readonly vendor: string;
	readonly translator: Translator;
	readonly signal?: AbortSignal | undefined;
	readonly redact?: ((text: string) => string) | undefined;
}

/** More than any answer holds; an endpoint that streams for ever is stopped here. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Reads an answer, streamed or whole, and yields what each network read meant. One array per read, not one promise per event:
 * that keeps a chunk at a few microseconds. Throws `ModelError`, or the signal's reason when it is aborted.
 */
export async function* readAnswer(
	body: ReadableStream<Uint8Array>,
	options: AnswerOptions,
): AsyncGenerator<ModelEvent[], void, undefined> {
	const reader = body.getReader();
	// A cancelled reader ends its pending read, so no read can outlive the signal.
	const cancel = () => void reader.cancel().catch(() => {});
	options.signal?.addEventListener("abort", cancel, { once: true });
	try {
		const parser = answerParser(options);
		for (;;) {
			options.signal?.throwIfAborted();
			const { done, value } = await read(reader, options);
			options.signal?.throwIfAborted();
			const events = done ? parser.end() : parser.push(value);
			if (events.length > 0) yield events;
			if (done) return;
		}
	} finally {
		options.signal?.removeEventListener("abort", cancel);
		cancel();
	}
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>, { vendor, signal }: AnswerOptions) {
	try {
		return await reader.read();
	} catch (cause) {
		signal?.throwIfAborted();
		throw new ModelError("stream_cut", `The connection to ${vendor} broke off.`, { retryable: true, cause });
	}
}

/** Bytes to events, synchronously. Whether the answer is a stream or one JSON value is told by its first character. */
function answerParser({ vendor, translator, redact = (text) => text }: AnswerOptions) {
	const decoder = new TextDecoder();
	let emit: ModelEvent[] = [];
	let size = 0;
	let whole: string[] | undefined;
	let isStream = false;
	let isEnding = false;
	const sse = sseReader(onEvent);

	function onEvent({ event, data }: SseEvent): void {
		const text = data.trim();
		if (text === "[DONE]") translator.done();
		const json = text.startsWith("{") ? parseChunk(text) : undefined;
		if (event === "error" || (json && isFailure(json))) throw fail(json ?? text);
		// Without JSON it is a keep-alive such as `data: ping`, or was torn.
		if (json) translator.chunk(json, emit);
	}

	function parseChunk(text: string): Json | undefined {
		try {
			return recordOf(JSON.parse(text));
		} catch (cause) {
			if (isEnding) return void translator.tear();
			throw new ModelError("bad_response", `${vendor} sent a chunk that is no JSON.`, { retryable: true, cause });
		}
	}

	const fail = (payload: unknown) => vendorError({ vendor, payload, now: Date.now(), redact });

	function take(text: string): void {
		const rest = isStream || whole ? text : firstOf(text);
		if (isStream) sse.push(rest);
		else whole?.push(rest);
	}

	/** Drops blanks, and learns from the first character what the answer is. */
	function firstOf(text: string): string {
		const start = text.trimStart();
		if (start.startsWith("<")) {
			throw new ModelError("bad_response", `${vendor} answered with a web page. Check the base URL.`);
		}
		if (start.startsWith("{") || start.startsWith("[")) whole = [];
		else isStream = start !== "";
		return start;
	}

	function readWhole(text: string): void {
		let json: unknown;
		try {
			json = JSON.parse(text);
		} catch (cause) {
			throw new ModelError("bad_response", `The answer of ${vendor} is no whole JSON.`, { retryable: true, cause });
		}
		if (!isRecord(json) || isFailure(json)) throw fail(json);
		translator.whole(json, emit);
	}

	function taken(): ModelEvent[] {
		const events = emit;
		emit = [];
		return events;
	}

	return {
		push(bytes: Uint8Array): ModelEvent[] {
			size += bytes.length;
			if (size > maxBytes) {
				throw new ModelError("bad_response", `The answer of ${vendor} is larger than ${maxBytes} bytes.`);
			}
			take(decoder.decode(bytes, { stream: true }));
			return taken();
		},
		end(): ModelEvent[] {
			isEnding = true;
			take(decoder.decode());
			if (whole) readWhole(whole.join(""));
			else sse.end();
			translator.end(emit);
			return taken();
		},
	};
}

/** A 200 proves nothing: any chunk may say that the model failed (`response.error` is the Responses API's place for it). */
const isFailure = (json: Json) => Boolean(json.error || json.type === "error" || recordOf(json.response).error);
