import type { RandomAccess } from "./zip-fields";

/** As long as those in which the file system keeps a file. */
const pieceBytes = 524_288;

/** Reads whole pieces and holds the last one: a zip is read onwards in many small steps. */
export function inPieces(file: RandomAccess): RandomAccess {
	let held: { readonly start: number; readonly bytes: Uint8Array } | undefined;

	async function pieceAt(offset: number): Promise<Uint8Array> {
		const start = offset - (offset % pieceBytes);
		if (held?.start !== start) held = { start, bytes: await file.read(start, pieceBytes) };
		return held.bytes.subarray(offset - start);
	}

	return {
		size: file.size,
		async read(offset, length) {
			const bytes = new Uint8Array(Math.max(0, Math.min(length, file.size - offset)));
			for (let at = 0; at < bytes.length; ) {
				const piece = (await pieceAt(offset + at)).subarray(0, bytes.length - at);
				bytes.set(piece, at);
				at += piece.length;
			}
			return bytes;
		},
	};
}
