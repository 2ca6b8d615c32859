import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCapped } from "../../src/lib/read-capped";

function streamOf(chunks: readonly Uint8Array[]) {
	let cancelled = false;
	const left = [...chunks];
	const stream = new ReadableStream<Uint8Array>({
		pull(controller) {
			const chunk = left.shift();
			if (chunk) controller.enqueue(chunk);
			else controller.close();
		},
		cancel() {
			cancelled = true;
		},
	});
	return { stream, cancelled: () => cancelled };
}

describe("readCapped", () => {
	it("answers the first bytes, and says when there were more", async () => {
		const chunks = fc.array(fc.uint8Array({ maxLength: 8 }), { maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(chunks, fc.nat({ max: 40 }), async (pieces, maxBytes) => {
				const whole = pieces.flatMap((piece) => [...piece]);
				const { bytes, truncated } = await readCapped(streamOf(pieces).stream, maxBytes);
				expect([...bytes]).toEqual(whole.slice(0, maxBytes));
				expect(truncated).toBe(whole.length > maxBytes);
			}),
		);
	});

	it("cancels what it does not read", async () => {
		const { stream, cancelled } = streamOf(Array.from({ length: 10 }, () => new Uint8Array(10)));
		expect(await readCapped(stream, 25)).toMatchObject({ truncated: true });
		expect(cancelled()).toBe(true);
	});

	it("takes no body for an empty one", async () => {
		expect(await readCapped(null, 10)).toEqual({ bytes: new Uint8Array(), truncated: false });
	});

	it("throws the signal's reason while it waits, and cancels the body", async () => {
		let cancelledWith: unknown;
		const silent = new ReadableStream<Uint8Array>({
			cancel(reason) {
				cancelledWith = reason;
			},
		});
		const controller = new AbortController();
		const reading = readCapped(silent, 10, controller.signal);
		const reason = new Error("enough");
		controller.abort(reason);
		await expect(reading).rejects.toBe(reason);
		expect(cancelledWith).toBe(reason);
	});

	it("reads nothing under a signal that is aborted already", async () => {
		const { stream, cancelled } = streamOf([new Uint8Array(1)]);
		await expect(readCapped(stream, 10, AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
		expect(cancelled()).toBe(true);
	});

	it("passes on the body's own failure", async () => {
		const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("reset")) });
		await expect(readCapped(broken, 10)).rejects.toThrow("reset");
	});
});
