import { execFileSync } from "node:child_process";
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { joined, paxHeader, tar, zip } from "../../support/archives";
import { unpackingWorld } from "../../support/node/unpack";

let folder: string;
const long = `${"long-name-".repeat(20)}.txt`;

beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), "archives-"));
	const tree = path.join(folder, "tree");
	mkdirSync(path.join(tree, "src/deep"), { recursive: true });
	mkdirSync(path.join(tree, "empty"));
	writeFileSync(path.join(tree, "src/run.sh"), "#!/bin/sh\n");
	chmodSync(path.join(tree, "src/run.sh"), 0o755);
	writeFileSync(path.join(tree, "src/deep", long), "long");
	writeFileSync(path.join(tree, "潮汐.txt"), "高潮");
	writeFileSync(path.join(tree, "large.bin"), Buffer.alloc(1_500_000, "tide "));
	writeFileSync(path.join(tree, "zero"), "");
	symlinkSync("src/run.sh", path.join(tree, "link"));
	utimesSync(path.join(tree, "zero"), 1_600_000_000, 1_600_000_000);
	utimesSync(path.join(tree, "empty"), 1_500_000_000, 1_500_000_000);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, ...args: string[]) => execFileSync(command, args, inTree);

const inTree = {
	get cwd() {
		return path.join(folder, "tree");
	},
	maxBuffer: 100_000_000,
};
const zipInPython = `
import os, sys, zipfile
with zipfile.ZipFile(open(sys.argv[1], "wb"), "w", zipfile.ZIP_DEFLATED) as archive:
    for folder, folders, files in os.walk("."):
        for name in folders + files:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                archive.write(path)
                continue
            link = zipfile.ZipInfo(path)
            link.create_system = 3
            link.external_attr = 0o120777 << 16
            archive.writestr(link, os.readlink(path))
`;

const zip64Entry = `
                info = zipfile.ZipInfo.from_file(path)
                info.compress_type = zipfile.ZIP_DEFLATED
                if info.is_dir():
                    archive.writestr(info, "")
                    continue
                with archive.open(info, "w", force_zip64=True) as entry:
                    entry.write(open(path, "rb").read())`;

/** What tools of today make of the tree. */
const makers: Readonly<Record<string, (file: string) => void>> = {
	"tar, GNU": (file) => run("tar", "--format=gnu", "-cf", file, "."),
	"tar, PAX": (file) => run("tar", "--format=pax", "-cf", file, "."),
	"tar, PAX, with global attributes": (file) =>
		run("tar", "--format=pax", "--pax-option=globexthdr.name=g,comment=hello", "-cf", file, "."),
	"tar.gz": (file) => run("tar", "-czf", file, "."),
	"tar of two gzips": (file) => {
		run("tar", "-cf", file, ".");
		const bytes = readFileSync(file);
		writeFileSync(file, Buffer.concat([gzipSync(bytes.subarray(0, 5_000)), gzipSync(bytes.subarray(5_000))]));
	},
	zip: (file) => run("zip", "-qry", file, "."),
	"zip, not compressed": (file) => run("zip", "-qry0", file, "."),
	"zip, of Python": (file) => run("python3", "-c", zipInPython, file),
	"zip, of Python with sizes of 64 bits": (file) =>
		run("python3", "-c", zipInPython.replace("archive.write(path)", zip64Entry), file),
	"zip, of Python as a stream": (file) =>
		writeFileSync(file, execFileSync("sh", ["-c", `python3 -c "$0" /dev/stdout | cat`, zipInPython], inTree)),
};

describe("an archive is unpacked with names, contents, modes, times and links, made as", () => {
	it.each(Object.entries(makers))("%s", async (name, make) => {
		const file = path.join(folder, `${name.replace(/\W+/g, "-")}.archive`);
		make(file);
		const world = unpackingWorld();
		const reply = await world.unpack(readFileSync(file), "/workspace/in", 10_007);
		expect(reply).toMatchObject({
			ok: true,
			value: { files: 5, links: 1, bytes: 1_500_020, skipped: [], moreSkipped: 0 },
		});
		await world.onFiles((files) => {
			const text = (at: string) => new TextDecoder().decode(files.read(`/workspace/in/${at}`));
			expect(text(`src/deep/${long}`)).toBe("long");
			expect(text("潮汐.txt")).toBe("高潮");
			expect(text("large.bin")).toBe("tide ".repeat(300_000));
			expect(text("link")).toBe("#!/bin/sh\n");
			expect(files.stat("/workspace/in/src/run.sh").mode).toBe(0o755);
			expect(files.readDirectory("/workspace/in/empty")).toEqual([]);
			expect(files.stat("/workspace/in/zero").size).toBe(0);
			if (name.startsWith("zip, of Python")) return;
			expect(files.stat("/workspace/in/zero").mtimeMs).toBe(1_600_000_000_000);
			expect(files.stat("/workspace/in/empty").mtimeMs).toBe(1_500_000_000_000);
		});
	});
});

describe("unpacking", () => {
	it("replaces files and links that are there, and writes through none", async () => {
		const world = unpackingWorld();
		await world.onFiles((files) => {
			files.makeDirectory("/workspace/in/d", { parents: true });
			files.write("/workspace/in/old", new Uint8Array(3));
			files.write("/workspace/target", new Uint8Array(3));
			files.symlink("../target", "/workspace/in/link");
		});
		const reply = await world.unpack(
			tar({ name: "old", content: "new" }, { name: "link", content: "new" }, { name: "d/", type: "5" }),
		);
		expect(reply).toMatchObject({ ok: true, value: { files: 2, directories: 0 } });
		await world.onFiles((files) => {
			expect(files.stat("/workspace/target").size).toBe(3);
			expect(files.lstat("/workspace/in/link").kind).toBe("file");
			expect(new TextDecoder().decode(files.read("/workspace/in/old"))).toBe("new");
		});
	});

	it.each([
		["a directory where a file is due", tar({ name: "d", content: "x" })],
		["a file where a directory is due", tar({ name: "f/", type: "5" })],
		["a file where something is due below it", tar({ name: "f/x" })],
	])("is refused by %s", async (_, archive) => {
		const world = unpackingWorld();
		await world.onFiles((files) => {
			files.makeDirectory("/workspace/in/d", { parents: true });
			files.write("/workspace/in/f", new Uint8Array(3));
		});
		const before = await world.tree();
		expect((await world.unpack(joined(archive))).ok).toBe(false);
		expect(await world.tree()).toEqual(before);
	});

	it.each([
		["a file", tar({ name: "l/x", content: "x" })],
		["a file further down", tar({ name: "l/d/x", content: "x" })],
		["a directory", tar({ name: "l/d/", type: "5" })],
		["a directory of its name", tar({ name: "l/", type: "5" })],
		["a link", tar({ name: "l/x", type: "2", target: "y" })],
		["a file in a zip", zip([{ name: "l/x", content: "x" }])],
	])("is refused by a link that was there before, for %s", async (_, archive) => {
		const world = unpackingWorld();
		await world.onFiles((files) => {
			files.makeDirectory("/workspace/in");
			files.makeDirectory("/workspace/other/d", { parents: true });
			files.symlink("../other", "/workspace/in/l");
		});
		const before = await world.tree();
		expect(await world.unpack(archive)).toMatchObject({ ok: false, message: expect.stringMatching(/l/) });
		expect(await world.tree()).toEqual(before);
	});

	it("goes on through a link to the directory that is unpacked into", async () => {
		const world = unpackingWorld();
		await world.onFiles((files) => {
			files.makeDirectory("/workspace/other");
			files.symlink("other", "/workspace/in");
		});
		expect(await world.unpack(tar({ name: "d/x" }))).toMatchObject({ ok: true, value: { files: 1 } });
		expect(await world.onFiles((files) => files.stat("/workspace/other/d/x").kind)).toBe("file");
	});

	it("takes a body that comes byte by byte, and holds no more of its headers than it uses", async () => {
		const world = unpackingWorld();
		const archive = tar(paxHeader({ comment: "x".repeat(200_000) }, "g"), { name: "x", content: "abc" });
		const started = performance.now();
		expect(await world.unpack(archive, "/workspace/in", 1)).toMatchObject({ ok: true, value: { files: 1 } });
		expect(performance.now() - started).toBeLessThan(5_000);
	});

	it("lets others have their turn", async () => {
		const world = unpackingWorld();
		let turns = 0;
		const timer = setInterval(() => turns++, 1);
		const many = zip(Array.from({ length: 500 }, (_, index) => ({ name: `f${index}`, content: "x", stored: true })));
		await world.unpack(many, "/workspace/in", 65_536);
		clearInterval(timer);
		expect(turns).toBeGreaterThan(2);
	});

	it("leaves out control files and says so", async () => {
		const archive = tar(
			{ name: "repo/.git/HEAD", content: "ref" },
			{ name: "repo/.git/config", content: "[core]" },
			{ name: "repo/.git/hooks/", type: "5" },
			{ name: "repo/.git/hooks/post-checkout", content: "#!/bin/sh", mode: 0o755 },
			{ name: "repo/.env", content: "A=1" },
			{ name: "repo/.vscode", type: "2", target: "x" },
			{ name: "repo/index.ts", content: "1" },
		);
		const world = unpackingWorld();
		expect(await world.unpack(archive)).toMatchObject({
			ok: true,
			value: {
				files: 2,
				skipped: [".git/config", ".git/hooks/post-checkout", ".env", ".vscode"].map((name) => ({
					path: `repo/${name}`,
					reason: "protected_path",
				})),
			},
		});
		const allowed = unpackingWorld({ mayWriteProtected: true });
		expect(await allowed.unpack(archive)).toMatchObject({ ok: true, value: { files: 5, links: 1, skipped: [] } });
	});

	it("is refused where the FILE list does not reach", async () => {
		const world = unpackingWorld();
		expect(await world.unpack(tar({ name: "x" }), "/elsewhere")).toMatchObject({ ok: false, reason: "outside_root" });
	});

	it("drops the bits of a mode that give rights away", async () => {
		const world = unpackingWorld();
		await world.unpack(tar({ name: "x", mode: 0o6755 }));
		expect(await world.onFiles((files) => files.stat("/workspace/in/x").mode)).toBe(0o755);
	});

	it("takes a size and a time from PAX, and an old tar's directory", async () => {
		const world = unpackingWorld();
		const archive = tar(
			paxHeader({ size: "3", mtime: "1600000000.5" }),
			{ name: "x", content: "abc", size: 0 },
			{ name: "d/" },
		);
		expect(await world.unpack(archive)).toMatchObject({ ok: true, value: { files: 1, directories: 1 } });
		expect(await world.onFiles((files) => files.stat("/workspace/in/x").mtimeMs)).toBe(1_600_000_000_500);
	});

	it("takes an empty tar and an empty zip", async () => {
		const world = unpackingWorld();
		expect(await world.unpack(tar())).toMatchObject({ ok: true, value: { files: 0 } });
		expect(await world.unpack(zip([]))).toMatchObject({ ok: true, value: { files: 0 } });
	});

	it("takes a zip whose comment looks like an end", async () => {
		const world = unpackingWorld();
		const archive = zip([{ name: "a", content: "x" }], { comment: `PK\u0005\u0006${"\0".repeat(18)}tail` });
		expect(await world.unpack(archive)).toMatchObject({ ok: true, value: { files: 1 } });
	});

	it("goes into a job alone, when it is for one", async () => {
		const world = unpackingWorld();
		const job = world.workspace.jobs.create({ id: "job-1", sessionId: null, ttlMs: 60_000, maxBytes: 1_000_000 });
		const { importArchive } = await import("../../../src/workspace/archive/import-archive");
		const context = world.contextOf({ target: { mode: "job", jobId: job.id } });
		const body = (async function* () {
			yield tar({ name: "x", content: "abc" });
		})();
		expect(await importArchive(world.workspace, context, { path: ".", body })).toMatchObject({
			ok: true,
			jobId: "job-1",
		});
		expect(await world.tree()).toEqual([]);
		expect(world.workspace.changesOfJob(world.workspace.jobs.get("job-1"))).toMatchObject([{ path: "/workspace/x" }]);
	});

	it("leaves nothing when the body breaks off", async () => {
		const world = unpackingWorld();
		const { importArchive } = await import("../../../src/workspace/archive/import-archive");
		const body = (async function* () {
			yield tar({ name: "x", content: "abc" }).subarray(0, 1_024);
			throw new TypeError("Network connection lost.");
		})();
		await expect(importArchive(world.workspace, world.contextOf(), { path: ".", body })).rejects.toThrow("Network");
		expect(await world.tree()).toEqual([]);
	});
});
