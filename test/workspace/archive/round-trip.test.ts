import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportArchive } from "../../../src/workspace/archive/export-archive";
import type { FileSystem } from "../../../src/workspace/file-system";
import { FsError } from "../../../src/workspace/fs-error";
import { contentsOf } from "../../support/node/open-files";
import { unpackingWorld } from "../../support/node/unpack";

const runs = Number(process.env.FILE_MODEL_RUNS ?? 250);
const timeout = 60_000 + 200 * runs;

async function packed(world: ReturnType<typeof unpackingWorld>, asked: string): Promise<Uint8Array> {
	const reply = await exportArchive(world.workspace, world.contextOf(), asked);
	if (!reply.ok) throw new Error(reply.reason);
	return new Uint8Array(await new Response(reply.value).arrayBuffer());
}

const names = fc.oneof(
	fc.constantFrom("a", "b", "c", "d e", "é", "潮汐", "🌊", "-rf", "..x", "~", "*"),
	fc.constantFrom("long-".repeat(25), "ü".repeat(120), "x".repeat(100), "y".repeat(255)),
);
const planted = fc.record({
	parents: fc.array(names, { maxLength: 4 }),
	name: names,
	kind: fc.constantFrom("file", "file", "file", "directory", "symlink"),
	bytes: fc.oneof(fc.uint8Array({ maxLength: 1_100 }), fc.constant(new Uint8Array(600_000).fill(7))),
	mode: fc.integer({ min: 0, max: 0o777 }),
	/** A tar's header has seconds. */
	mtimeMs: fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1_000),
});
type Planted = typeof planted extends fc.Arbitrary<infer Value> ? Value : never;

/** What cannot stand where another already does is left away. */
function plant(files: FileSystem, things: readonly Planted[]): void {
	for (const { parents, name, kind, bytes, mode } of things) {
		try {
			const parent = ["/workspace/p", ...parents].join("/");
			files.makeDirectory(parent, { parents: true });
			if (kind === "directory") files.makeDirectory(`${parent}/${name}`, { mode });
			else if (kind === "symlink") files.symlink("nowhere/in/particular", `${parent}/${name}`);
			else files.write(`${parent}/${name}`, bytes, { mode });
		} catch (error) {
			if (!(error instanceof FsError)) throw error;
		}
	}
	const found = [...files.walk("/workspace/p")].filter(({ stat }) => stat.kind !== "symlink");
	for (const [index, { path }] of found.entries()) {
		files.setTimes(path, { mtimeMs: things[index % things.length]?.mtimeMs ?? 0 });
	}
}

describe("what is packed and unpacked again", () => {
	it(
		"is any tree as it was, with modes, times and links",
		async () => {
			await fc.assert(
				fc.asyncProperty(fc.array(planted, { minLength: 1, maxLength: 12 }), fc.boolean(), async (things, zipped) => {
					const world = unpackingWorld();
					const below = () => world.onFiles((files) => contentsOf(files, ["/workspace/p"]));
					await world.onFiles((files) => {
						files.makeDirectory("/workspace/p");
						plant(files, things);
					});
					const before = await below();
					const tar = await packed(world, "p");
					await world.onFiles((files) => files.removeTree("/workspace/p"));
					const reply = await world.unpack(zipped ? gzipSync(tar) : tar, "/workspace/p", 9_999);
					expect(reply).toMatchObject({ ok: true });
					expect(await below()).toEqual(before);
				}),
				{ numRuns: runs },
			);
		},
		timeout,
	);
});

describe("a real package of about 1,000 files", () => {
	const source = path.resolve("node_modules/@mixmark-io/domino");
	const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
	const onDisk = readdirSync(source, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.join(entry.parentPath, entry.name));
	const expected = new Map(onDisk.map((file) => [path.relative(source, file), digest(readFileSync(file))]));
	const makers = {
		"tar.gz": (file: string) => execFileSync("tar", ["-czf", file, "."], { cwd: source }),
		zip: (file: string) => execFileSync("zip", ["-qr", file, "."], { cwd: source }),
	};

	it.each(Object.entries(makers))("is unpacked and packed within seconds: %s", async (_, make) => {
		const folder = mkdtempSync(path.join(tmpdir(), "package-"));
		try {
			make(path.join(folder, "archive.zip"));
			const world = unpackingWorld({ mayWriteProtected: true });
			const started = performance.now();
			const reply = await world.unpack(readFileSync(path.join(folder, "archive.zip")), "/workspace/in", 65_536);
			expect(reply).toMatchObject({ ok: true, value: { files: expected.size, skipped: [] } });
			const tar = await packed(world, "in");
			expect(performance.now() - started).toBeLessThan(20_000);
			execFileSync("tar", ["-xf", "-", "-C", folder], { input: tar });
			const found = [...expected.keys()].map((name) => [name, digest(readFileSync(path.join(folder, name)))]);
			expect(new Map(found as [string, string][])).toEqual(expected);
			const [first] = expected.keys();
			expect(first && lstatSync(path.join(folder, first)).mode & 0o777).toBe(
				first && lstatSync(path.join(source, first)).mode & 0o777,
			);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
