import { createHash } from "node:crypto";
import type { StoredBytes } from "./content";

/** Hexadecimal, equal for equal bytes: of the size and the hashes of the chunks, so that no content is read for it. */
export const sha256OfContent = ({ size, chunks }: StoredBytes): string =>
	createHash("sha256").update(`${size}\n`).update(chunks).digest("hex");
