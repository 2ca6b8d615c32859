import { describe, expect, it } from "vitest";
import { KnownChunks } from "../../../src/runner/known-chunks";
import { holeHash, type MirrorEntry } from "../../../src/shared/runner-mirrors";

const file = (path: string, ...chunks: string[]): MirrorEntry => {
	return { kind: "file", path, mode: 0o644, mtimeMs: 1, size: chunks.length, chunks };
};
const folder: MirrorEntry = { kind: "directory", path: "d", mode: 0o755 };

describe("what is known of a mirror's chunks", () => {
	it("says what is new since the last time, once and without holes", () => {
		const known = new KnownChunks();
		known.note("m", [folder, file("d/a", "1", "2"), file("b", "3")]);
		const lacked = known.lackedBy("m", [folder, file("c", "2", "4", holeHash), file("b", "4", "5")]);
		expect(lacked).toEqual(["4", "5"]);
		known.note("m", [file("b", "4")]);
		expect(known.lackedBy("m", [file("b", "4"), file("a", "1")])).toEqual(["1"]);
	});

	it("says nothing of a mirror that is new, another, or too large", () => {
		const known = new KnownChunks();
		expect(known.lackedBy("m", [file("a", "1")])).toEqual([]);
		known.note("m", [file("a", "1")]);
		expect(known.lackedBy("other", [file("a", "2")])).toEqual([]);
		const hashes = Array.from({ length: 50_001 }, (_, at) => String(at));
		known.note("m", [file("large", ...hashes)]);
		expect(known.lackedBy("m", [file("a", "x")])).toEqual([]);
	});
});
