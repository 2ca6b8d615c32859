import { byteStream } from "../lib/byte-stream";
import { lengthPrefixed, readLengthPrefixed } from "../lib/length-prefixed";
import { chunkBytes } from "../shared/runner-mirrors";
import { askRunner, RunnerLost, type RunnerPort } from "./port";

/** Sends chunks that a mirror lacks; they are read one at a time, as the runner takes them. */
export async function sendChunks(
	port: RunnerPort,
	{ mirror, hashes, chunk }: { mirror: string; hashes: readonly string[]; chunk: (hash: string) => Uint8Array },
): Promise<void> {
	// What fails inside a body is not told to who sends it.
	let failure: { error: unknown } | undefined;
	const noted = (hash: string) => {
		try {
			return chunk(hash);
		} catch (error) {
			failure = { error };
			throw error;
		}
	};
	const body = byteStream(parts(hashes, noted));
	try {
		await askRunner(port, `/mirrors/${mirror}/chunks`, { method: "PUT", body });
	} catch (error) {
		throw failure ? failure.error : error;
	}
	if (failure) throw failure.error;
}

/** Reads chunks that a program left in a mirror, in the order of `hashes`. Throws `RunnerLost` when they are no longer there. */
export async function* fetchChunks(
	port: RunnerPort,
	{
		mirror,
		revision,
		hashes,
		signal,
	}: {
		mirror: string;
		revision: string;
		hashes: readonly string[];
		signal: AbortSignal;
	},
): AsyncGenerator<{ hash: string; bytes: Uint8Array }> {
	if (hashes.length === 0) return;
	const body = JSON.stringify({ revision, hashes });
	const response = await askRunner(port, `/mirrors/${mirror}/chunks/read`, { method: "POST", body, signal });
	let index = 0;
	if (response.body) {
		for await (const bytes of readLengthPrefixed(response.body, { maxBytes: chunkBytes })) {
			const hash = hashes[index++];
			if (hash !== undefined) yield { hash, bytes };
		}
	}
	if (index !== hashes.length) throw new RunnerLost("files that it changed did not come");
}

function* parts(hashes: readonly string[], chunk: (hash: string) => Uint8Array): Generator<Uint8Array> {
	for (const hash of hashes) yield lengthPrefixed(chunk(hash));
}
