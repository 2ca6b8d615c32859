import { expect, it } from "vitest";
import { cappedStream } from "../../src/lib/capped-stream";

const never = new AbortController().signal;
const tooMany = () => new Error("Too many.");
const bodyOf = (...pieces: string[]) => new Blob(pieces).stream() as ReadableStream<Uint8Array>;

it("gives a body that fits whole", async () => {
	const { stream, failure } = cappedStream(bodyOf("ab", "cd"), { maxBytes: 4, signal: never, tooMany });
	expect(await new Response(stream).text()).toBe("abcd");
	expect(failure()).toBeUndefined();
});

it("takes no body for an empty one", async () => {
	const { stream } = cappedStream(null, { maxBytes: 4, signal: never, tooMany });
	expect(await new Response(stream).text()).toBe("");
});

it("breaks after the last byte that is allowed, and cancels the source", async () => {
	let cancelled = false;
	const endless = new ReadableStream<Uint8Array>({
		pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
		cancel: () => {
			cancelled = true;
		},
	});
	const { stream, failure } = cappedStream(endless, { maxBytes: 10_500, signal: never, tooMany });
	await expect(new Response(stream).arrayBuffer()).rejects.toThrow("Too many.");
	expect(failure()).toEqual(new Error("Too many."));
	expect(cancelled).toBe(true);
});

it("breaks when the signal is aborted, though nothing comes", async () => {
	const controller = new AbortController();
	const silent = new ReadableStream<Uint8Array>();
	const { stream, failure } = cappedStream(silent, { maxBytes: 10, signal: controller.signal, tooMany });
	const reading = new Response(stream).text();
	controller.abort(new Error("Enough."));
	await expect(reading).rejects.toThrow("Enough.");
	expect(failure()).toEqual(new Error("Enough."));
});

it("cancels the source when its reader has enough", async () => {
	let cancelled = false;
	const source = new ReadableStream<Uint8Array>({
		pull: (controller) => controller.enqueue(new Uint8Array(10)),
		cancel: () => {
			cancelled = true;
		},
	});
	await cappedStream(source, { maxBytes: 1_000, signal: never, tooMany }).stream.cancel();
	expect(cancelled).toBe(true);
});
