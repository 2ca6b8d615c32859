import { inOneBuffer } from "../lib/in-one-buffer";
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
	const { readable, writable } = new IdentityTransformStream();
	const writer = writable.getWriter();
	const passed = passOn(body, writer);
	const end = async () => {
		// A piece that is still on its way is wanted by nobody.
		await writer.abort().catch(() => {});
		return await passed;
	};
	try {
		const answer = await take(readable);
		await end();
		return answer;
	} catch (error) {
		// Another object only says that the stream ended too early; whose fault that was is known here.
		throw (await end()) ?? error;
	}
}

/** Answers what is to be said where the body broke off. */
async function passOn(
	body: ReadableStream<Uint8Array>,
	writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<AppError | undefined> {
	let isWanted = true;
	let drained = 0;
	try {
		for await (const piece of inOneBuffer(body)) {
			isWanted &&= await succeeds(writer.write(piece));
			drained += isWanted ? 0 : piece.length;
			if (drained > maxDrainedBytes) return undefined;
		}
		await succeeds(writer.close());
		return undefined;
	} catch (cause) {
		await succeeds(writer.abort(cause));
		return new AppError("invalid_input", "The body broke off before its end, so nothing was changed.", { cause });
	}
}

const succeeds = (work: Promise<void>): Promise<boolean> =>
	work.then(
		() => true,
		() => false,
	);
