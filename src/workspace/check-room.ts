import { FsError } from "./fs-error";

/** Refuses what makes a tree larger than it may be; a tree that is too large already may still become smaller. Throws EDQUOT. */
export function checkRoom({ before, after, maxBytes }: { before: number; after: number; maxBytes: number }): void {
	if (after <= before || after <= maxBytes) return;
	throw new FsError("EDQUOT", "/workspace", `it would hold ${after} bytes, and at most ${maxBytes} are allowed`);
}
