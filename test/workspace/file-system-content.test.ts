import { describe, expect, it } from "vitest";
import { faultsOf } from "../support/node/file-invariants";
import { bytes, codeOf, memoryWorkspace, text } from "../support/node/workspace";

const chunk = 524_288;

describe("the limits", () => {
	const limited = () => memoryWorkspace({ maxFileBytes: 10, maxBytes: 25 });

	it("refuse a file that is too large, with its size and theirs", () => {
		const { files, db } = limited();
		const message = "EFBIG: file too large: 11 bytes, at most 10 are allowed in one file, '/workspace/a'";
		expect(() => files.write("/workspace/a", new Uint8Array(11))).toThrow(message);
		expect(codeOf(() => files.stat("/workspace/a"))).toBe("ENOENT");
		files.write("/workspace/a", bytes("0123456789"));
		expect(() => files.append("/workspace/a", bytes("+"))).toThrow(message);
		expect(() => files.writeAt("/workspace/a", 10, bytes("+"))).toThrow(message);
		expect(() => files.truncate("/workspace/a", 11)).toThrow(message);
		expect(codeOf(() => files.beginContent().write(new Uint8Array(11)))).toBe("EFBIG");
		expect(text(files.read("/workspace/a"))).toBe("0123456789");
		expect(faultsOf(db)).toEqual([]);
	});

	it("refuse what passes the quota, with what is used, and change nothing", () => {
		const { files, db } = limited();
		for (const name of ["a", "b"]) files.write(`/workspace/${name}`, bytes("0123456789"));
		const refusals = [
			() => files.write("/workspace/c", bytes("012345")),
			() => files.copyFile("/workspace/a", "/tmp/c"),
			() => files.truncate("/tmp/missing", 6),
		];
		expect(refusals.map(codeOf)).toEqual(["EDQUOT", "EDQUOT", "ENOENT"]);
		expect(refusals[0]).toThrow(
			"EDQUOT: quota exceeded: 20 of 25 bytes are used, 6 more were asked for, '/workspace/c'",
		);
		files.write("/workspace/a", bytes("0"));
		files.write("/workspace/c", bytes("0123456789"));
		files.unlink("/workspace/b");
		expect(faultsOf(db)).toEqual([]);
	});
});

describe("content", () => {
	it("is read as it was by a reader who has begun", () => {
		const { files, db } = memoryWorkspace();
		const old = new Uint8Array(3 * chunk).map((_, index) => 1 + (index >> 19));
		files.write("/workspace/a", old);
		const before = files.readPieces("/workspace/a");
		const pieces = [before.next().value?.slice()];
		files.write("/workspace/a", bytes("new"));
		pieces.push(before.next().value?.slice());
		files.unlink("/workspace/a");
		expect(faultsOf(db)).toEqual([]);
		pieces.push(...Array.from(before, (piece) => piece.slice()));
		expect(pieces.map((piece) => [piece?.length, piece?.at(-1)])).toEqual([1, 2, 3].map((value) => [chunk, value]));
		expect([...db.exec("SELECT hash FROM chunks")]).toEqual([]);
	});

	it("is let go by a reader who stops, and kept for another", () => {
		const { files, db } = memoryWorkspace();
		files.write("/workspace/a", new Uint8Array(2 * chunk).fill(1));
		const [one, two] = [files.readPieces("/workspace/a"), files.readPieces("/workspace/a")];
		files.write("/workspace/a", bytes("new"));
		one.return();
		expect(Array.from(two, (piece) => piece.length)).toEqual([chunk, chunk]);
		expect([...db.exec("SELECT hash FROM chunks")]).toHaveLength(1);
	});

	it("survives the reader of a change that was given up", () => {
		const { files, db } = memoryWorkspace();
		files.write("/workspace/a", bytes("kept"));
		const reader = files.readPieces("/workspace/a");
		expect(() =>
			files.atomically(() => {
				files.unlink("/workspace/a");
				throw new Error("given up");
			}),
		).toThrow("given up");
		reader.return();
		expect(text(files.read("/workspace/a"))).toBe("kept");
		expect(faultsOf(db)).toEqual([]);
	});

	it("takes no room where it is zero, nor twice where it is equal", () => {
		const { files, db } = memoryWorkspace();
		files.write("/workspace/zeros", new Uint8Array(10 * chunk));
		files.truncate("/workspace/zeros", 100 * chunk);
		files.write("/workspace/a", bytes("same"));
		files.write("/workspace/b", bytes("same"));
		files.copyFile("/workspace/a", "/workspace/c");
		expect([...db.exec("SELECT hash FROM chunks")]).toHaveLength(1);
		expect(files.read("/workspace/zeros", { offset: 50 * chunk, length: 3 })).toEqual(new Uint8Array(3));
	});

	it("has one digest however it came to be", () => {
		const { files } = memoryWorkspace();
		const content = new Uint8Array(chunk + 7);
		content[3] = 1;
		files.write("/workspace/whole", content);
		files.write("/workspace/grown", content.subarray(0, 4));
		files.truncate("/workspace/grown", content.length);
		const writer = files.beginContent();
		for (const byte of [0, 0, 0, 1]) writer.write(new Uint8Array([byte]));
		writer.write(new Uint8Array(chunk + 3));
		files.place("/workspace/placed", writer);
		const digests = ["whole", "grown", "placed"].map((name) => files.digest(`/workspace/${name}`));
		expect(new Set(digests).size).toBe(1);
		files.truncate("/workspace/grown", content.length + 1);
		expect(files.digest("/workspace/grown")).not.toBe(digests[0]);
	});

	it("is placed once, and not after it was given up", () => {
		const { files, db } = memoryWorkspace();
		const writer = files.beginContent();
		writer.write(new Uint8Array(chunk + 1).fill(1));
		expect(codeOf(() => files.place("/workspace/missing/a", writer))).toBe("ENOENT");
		files.place("/workspace/a", writer);
		writer.discard();
		expect(files.stat("/workspace/a").size).toBe(chunk + 1);
		expect(() => files.place("/workspace/b", writer)).toThrow(/placed or discarded/);
		expect(faultsOf(db)).toEqual([]);
	});

	it.each(["new", "there"])("is placed with the time that is said, in a file that is %s", (name) => {
		const { files } = memoryWorkspace();
		files.write("/workspace/there", bytes("before"));
		const place = (mtimeMs: number) => files.place(`/workspace/${name}`, files.beginContent(), { mtimeMs });
		expect(codeOf(() => place(Number.NaN))).toBe("EINVAL");
		place(86_400_000);
		expect(files.stat(`/workspace/${name}`)).toMatchObject({ size: 0, mtimeMs: 86_400_000 });
	});

	it("of a large file is appended to by its last chunk alone", () => {
		const { files, db } = memoryWorkspace();
		files.write(
			"/workspace/a",
			new Uint8Array(4 * chunk + 5).map((_, index) => 1 + (index >> 19)),
		);
		const hashes = () =>
			new Set(
				[...db.exec<{ hash: ArrayBuffer }>("SELECT hash FROM chunks")].map(({ hash }) =>
					Buffer.from(hash).toString("hex"),
				),
			);
		const before = hashes();
		files.append("/workspace/a", bytes("!"));
		const after = hashes();
		expect(after.size).toBe(5);
		expect([...after].filter((hash) => !before.has(hash))).toHaveLength(1);
	});
});
