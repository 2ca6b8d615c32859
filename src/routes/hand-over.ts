import { byteStream } from "../lib/byte-stream";
import { AppError } from "../shared/errors";

/** As much as a client may still send after its request is refused; whoever sends more loses the connection. */
const maxDrainedBytes = 134_217_728;

/**
 * Gives the body of a request to somebody who may stop in the middle of it, and reads the rest afterwards: a client that is
 * still sending when the connection ends never sees the answer. By hand, since workerd's `pipeTo` has no `preventCancel` that holds.
 */
export async function handOver<Answer>(
	body: ReadableStream<Uint8Array>,
	take: (body: ReadableStream<Uint8Array>) => Promise<Answer>,
): Promise<Answer> {
	const reader = body.getReader();
	let reading: Promise<unknown> = Promise.resolve();
	async function* pieces() {
		for (;;) {
			const next = reader.read();
			reading = next;
			const { done, value } = await next;
			if (done) return;
			yield value;
		}
	}
	try {
		const answer = await take(byteStream(pieces()));
		// The taker may have stopped while a piece was on its way, and no second one can be asked for meanwhile.
		await reading.catch(() => undefined);
		await drain(reader);
		return answer;
	} catch (error) {
		// Another object only says that the stream ended too early; whose fault that was is known here.
		await reading.catch((cause: unknown) => {
			throw new AppError("invalid_input", "The body broke off before its end, so nothing was changed.", { cause });
		});
		throw error;
	}
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
	let size = 0;
	try {
		for (let next = await reader.read(); !next.done; next = await reader.read()) {
			size += next.value.length;
			if (size > maxDrainedBytes) return await reader.cancel();
		}
	} catch {
		// The client has gone: nobody waits for the answer.
	}
}
