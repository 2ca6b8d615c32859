import fc from "fast-check";
import type { FileOperation } from "./file-operations";

// Few names, so that operations meet; two of them are one to who folds Unicode, two to who folds case.
const name = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom("a", "b", "c") },
	{ weight: 3, arbitrary: fc.constantFrom("A", "ä", "a\u0308", ".x", "d e", "😀", "\ufffd", "a\n*", "%") },
);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join("/")}`);
const target = fc.oneof(
	{ weight: 4, arbitrary: path },
	{ weight: 4, arbitrary: path.map((text) => text.slice(1)) },
	{
		weight: 4,
		arbitrary: fc
			.tuple(fc.constantFrom("../", "./", "../../", "a/../", ".//"), path)
			.map(([before, text]) => before + text.slice(1)),
	},
	{ weight: 2, arbitrary: fc.constantFrom(".", "..", "a/", "b/.", "./c/", "a/..", "c//", "x/../a", "/") },
);
const chunk = 524_288;
const length = fc.oneof(
	{ weight: 24, arbitrary: fc.integer({ min: 0, max: 300 }) },
	{ weight: 2, arbitrary: fc.constantFrom(4_096, 70_000) },
	{ weight: 1, arbitrary: fc.constantFrom(chunk - 1, chunk, chunk + 1, 2 * chunk, 1_300_000) },
);
const bytes = fc.record({ seed: fc.integer({ min: 0, max: 5 }), length });
const fileMode = fc.constantFrom(0o644, 0o600, 0o755);
const mode = fc.constantFrom(0o700, 0o755, 0o750);

const operations = {
	write: fc.record({
		op: fc.constantFrom("write" as const, "place" as const),
		path,
		bytes,
		mode: fileMode,
		exclusive: fc.nat(3).map((n) => n === 0),
	}),
	append: fc.record({ op: fc.constant("append" as const), path, bytes }),
	writeAt: fc.record({ op: fc.constant("writeAt" as const), path, offset: length, bytes }),
	truncate: fc.record({ op: fc.constant("truncate" as const), path, size: length }),
	read: fc.record({
		op: fc.constantFrom("read" as const, "readPieces" as const),
		path,
		range: fc.record({ offset: length, length }),
	}),
	makeDirectory: fc.record({ op: fc.constant("makeDirectory" as const), path, parents: fc.boolean(), mode }),
	chmod: fc.record({ op: fc.constant("chmod" as const), path, mode }),
	setTimes: fc.record({
		op: fc.constant("setTimes" as const),
		path,
		mtimeMs: fc.integer({ min: 1, max: 2_000_000_000_000 }),
	}),
	rename: fc.record({ op: fc.constant("rename" as const), path, to: path }),
	copyFile: fc.record({ op: fc.constant("copyFile" as const), path, to: path }),
	symlink: fc.record({ op: fc.constant("symlink" as const), path, target }),
	look: fc.record({
		op: fc.constantFrom("stat", "lstat", "resolve", "readDirectory", "readLink", "walk"),
		path,
	}),
	remove: fc.record({ op: fc.constantFrom("removeDirectory", "unlink", "removeTree"), path }),
} satisfies Record<string, fc.Arbitrary<FileOperation>>;

const weights: Readonly<Record<keyof typeof operations, number>> = {
	write: 6,
	append: 2,
	writeAt: 2,
	truncate: 2,
	read: 2,
	makeDirectory: 7,
	chmod: 1,
	setTimes: 1,
	rename: 6,
	copyFile: 2,
	symlink: 4,
	look: 4,
	remove: 4,
};

/** Random sequences of operations, without those that are named. */
export function fileOperations(maxLength: number, without: readonly (keyof typeof operations)[] = []) {
	const kinds = Object.entries(operations).filter(([kind]) => !without.some((left) => left === kind));
	const one = kinds.map(([kind, arbitrary]) => ({ weight: weights[kind as keyof typeof operations], arbitrary }));
	return fc.array(fc.oneof(...one) as fc.Arbitrary<FileOperation>, { minLength: 1, maxLength, size: "max" });
}
