import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joined, paxHeader, tar, zip } from "../../support/archives";
import { faultsOf } from "../../support/node/file-invariants";
import { unpackingWorld } from "../../support/node/unpack";

const runs = Number(process.env.FILE_MODEL_RUNS ?? 250);
const timeout = 60_000 + 100 * runs;

const entries = [
	{ name: "a/one.txt", content: "one" },
	{ name: "a/two.txt", content: "two ".repeat(200), descriptor: true },
	{ name: "three", content: "3", stored: true },
	{ name: "link", content: "three", unixMode: 0o120777 },
];
const plain = tar(
	paxHeader({ comment: "all" }, "g"),
	paxHeader({ path: `long/${"x".repeat(120)}`, mtime: "1600000000.5" }),
	{ name: "short", content: "long" },
	{ name: "L", type: "L", content: "a/gnu-long-name\0" },
	{ name: "cut", content: "y".repeat(700) },
	{ name: "d/", type: "5", mode: 0o755 },
	{ name: "d/link", type: "2", target: "../short" },
);
const archives = { tar: plain, "tar.gz": new Uint8Array(gzipSync(plain)), zip: zip(entries, { comment: "end" }) };

/** Somewhere in an archive of any length, as a part of it. */
const somewhere = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const damage = fc.oneof(
	fc.record({ kind: fc.constant("flip" as const), at: somewhere, bits: fc.integer({ min: 1, max: 255 }) }),
	fc.record({ kind: fc.constant("cut" as const), at: somewhere, to: somewhere }),
	fc.record({ kind: fc.constant("repeat" as const), at: somewhere, to: somewhere }),
	fc.record({ kind: fc.constant("large" as const), at: somewhere }),
);

function damaged(archive: Uint8Array, { at, ...how }: typeof damage extends fc.Arbitrary<infer Value> ? Value : never) {
	const place = Math.floor(at * archive.length);
	if (how.kind === "cut" || how.kind === "repeat") {
		const other = Math.floor(how.to * archive.length);
		return joined(archive.subarray(0, place), archive.subarray(other));
	}
	const copy = new Uint8Array(archive);
	if (how.kind === "flip") copy[place] = (copy[place] ?? 0) ^ how.bits;
	else copy.fill(255, place, place + 4);
	return copy;
}

describe("a damaged archive", () => {
	it.each(Object.entries(archives))(
		"is refused whole or unpacked whole, and breaks nothing: %s",
		async (_, archive) => {
			const world = unpackingWorld({ files: { maxFileBytes: 100_000, maxWorkspaceBytes: 200_000 } });
			expect(await world.unpack(archive)).toMatchObject({ ok: true });
			await world.onFiles((files) => files.removeTree("/workspace/in"));
			await world.onFiles((files) => files.write("/workspace/before", new Uint8Array(1)));
			const before = await world.tree();
			await fc.assert(
				fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
					const reply = await world.unpack(damages.reduce(damaged, archive));
					const after = await world.tree();
					if (reply.ok) await world.onFiles((files) => files.removeTree("/workspace/in"));
					else expect(after).toEqual(before);
					// What lay there before is as it was, and nothing of the archive lies elsewhere.
					const others = after.filter((line) => !/^\/workspace\/in[/ ]/.test(line));
					expect(others).toEqual(before);
					expect(faultsOf(world.db)).toEqual([]);
				}),
				{ numRuns: runs },
			);
		},
		timeout,
	);
});
