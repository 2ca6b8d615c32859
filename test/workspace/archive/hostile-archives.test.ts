import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { importArchive } from "../../../src/workspace/archive/import-archive";
import { joined, paxHeader, tar, tarEntry, zip } from "../../support/archives";
import { unpackingWorld } from "../../support/node/unpack";

type Case = readonly [what: string, archive: Uint8Array, reason: string, names: RegExp];
const ok = { name: "first.txt", content: "one" };
const bytes = (text: string) => new TextEncoder().encode(text);
const changed = (archive: Uint8Array, at: number, value: number) => {
	const copy = new Uint8Array(archive);
	copy[at < 0 ? copy.length + at : at] = value;
	return copy;
};

const names: readonly Case[] = (
	[
		["an absolute name", "/etc/passwd", /absolute/],
		["a name that leads up", "a/../../x", /leads upwards/],
		["a name that leads up and comes back", "a/../x", /leads upwards/],
		["a drive letter", "C:/Windows/x", /Windows/],
		["a drive letter without a slash", "c:x", /Windows/],
		["a backslash", "a\\b", /"a\\\\b": its name holds a backslash/],
		["a network path of Windows", "\\\\host\\share", /a backslash/],
		["a name that leads up by backslashes", "a\\..\\..\\x", /a backslash/],
		["a control character", "a\u0007b", /control character/],
		["a newline", "a\nb", /control character/],
		["a name in 200 directories", `${"a/".repeat(200)}x`, /deeper than 128/],
		["a name of 256 bytes", "x".repeat(256), /longer than 255 bytes/],
		["a path of more than 4095 bytes", `${`${"x".repeat(200)}/`.repeat(21)}x`, /too long/],
		["a name that is half a character", Uint8Array.of(0x61, 0xff, 0x62), /UTF-8/],
	] as const
).flatMap(([what, name, message]): Case[] => {
	const reason = /too long/.test(message.source) ? "name_too_long" : "unsafe_name";
	const long = typeof name === "string" && name.length > 100 ? [paxHeader({ path: name })] : [];
	return [
		[`${what} in a tar`, tar(ok, ...long, { name: long.length > 0 ? "short" : name }), reason, message],
		[`${what} in a zip`, zip([ok, { name, content: "x" }]), reason, message],
	];
});

const tars: readonly Case[] = [
	["a NUL in a PAX path", tar(ok, paxHeader({ path: "a\u0000b" }), { name: "x" }), "unsafe_name", /control character/],
	[
		"an absolute GNU long name",
		tar(ok, { name: "L", type: "L", content: "/etc/x\0" }, { name: "x" }),
		"unsafe_name",
		/absolute/,
	],
	["a hard link", tar(ok, { name: "h", type: "1", target: "first.txt" }), "unsafe_type", /"h": it is a hard link/],
	["a character device", tar(ok, { name: "d", type: "3" }), "unsafe_type", /a device/],
	["a block device", tar(ok, { name: "d", type: "4" }), "unsafe_type", /a device/],
	["a named pipe", tar(ok, { name: "f", type: "6" }), "unsafe_type", /a named pipe/],
	["a sparse file of GNU's", tar(ok, { name: "s", type: "S", content: "x" }), "unsafe_type", /a sparse file/],
	[
		"a sparse file of PAX",
		tar(ok, paxHeader({ "GNU.sparse.major": "1" }), { name: "s" }),
		"unsafe_type",
		/a sparse file/,
	],
	["a type that nobody knows", tar(ok, { name: "v", type: "V" }), "unsafe_type", /of the type "V"/],
	["a directory with data", tar(ok, { name: "d/", type: "5", content: "x" }), "broken_archive", /data follows/],
	["a file twice", tar(ok, ok), "duplicate_entry", /"first.txt": the archive holds it twice/],
	["a file over a directory", tar({ name: "a/b" }, { name: "a" }), "duplicate_entry", /first as a directory/],
	["a directory over a file", tar({ name: "a" }, { name: "a/", type: "5" }), "duplicate_entry", /first as a file/],
	["a file below a file", tar({ name: "a" }, { name: "a/b" }), "duplicate_entry", /below a/],
	["two names that are one path", tar({ name: "a/b" }, { name: "a//./b" }), "duplicate_entry", /twice/],
	["a wrong checksum", changed(tar(ok, ok), 1_024, 0x7a), "broken_archive", /checksum/],
	["a size that is no number", tar(ok, paxHeader({ size: "0x10" }), { name: "x" }), "broken_archive", /no number/],
	["a size below zero", tar(ok, changed(tarEntry({ name: "x" }), 124, 0xff)), "broken_archive", /checksum/],
	[
		"an extended header that cannot be read",
		tar(ok, { name: "p", type: "x", content: "99 path=x\n" }),
		"broken_archive",
		/extended header/,
	],
	[
		"an extended header for nothing",
		tar(ok, paxHeader({ path: "x" })),
		"broken_archive",
		/ends after an extended header/,
	],
	[
		"two extended headers in a row",
		tar(paxHeader({ path: "a" }), paxHeader({ path: "b" }), ok),
		"broken_archive",
		/in a row/,
	],
	["an end in a header", tar(ok, { name: "b" }).subarray(0, 1_024 + 300), "broken_archive", /ends too early/],
	[
		"an end in a content",
		tar(ok, { name: "b", content: "x".repeat(5_000) }).subarray(0, 3_000),
		"broken_archive",
		/ends too early/,
	],
	["no end", tar(ok).subarray(0, 1_024), "broken_archive", /ends too early/],
	["something after its end", joined(tar(ok), bytes("more")), "broken_archive", /follows after its end/],
	["an entry after its end", joined(tar(ok), tar({ name: "b" })), "broken_archive", /follows after its end/],
	["text", bytes("hello ".repeat(200)), "unsupported_archive", /no tar, tar.gz or zip/],
	["nothing", new Uint8Array(0), "unsupported_archive", /no tar, tar.gz or zip/],
];

/** What holds for every entry that follows, whatever is said of it alone. */
const globals: readonly Case[] = [
	[
		"a sparse file that a global header makes so",
		tar(paxHeader({ "GNU.sparse.major": "1" }, "g"), paxHeader({ mtime: "1" }), ok),
		"unsafe_type",
		/a sparse file/,
	],
	["an absolute name of a global header", tar(paxHeader({ path: "/etc/x" }, "g"), ok), "unsafe_name", /absolute/],
];

const gzips: readonly Case[] = [
	["a gzip of text", gzipSync("hello"), "unsupported_archive", /no tar/],
	["a gzip with a wrong checksum", changed(gzipSync(tar(ok)), -8, 1), "broken_archive", /decompressed/],
	["a gzip that ends too early", gzipSync(tar(ok)).subarray(0, -12), "broken_archive", /decompressed/],
	["a gzip with something behind it", joined(gzipSync(tar(ok)), bytes("more")), "broken_archive", /decompressed/],
	["a gzip of a gzip", gzipSync(gzipSync(tar(ok))), "unsupported_archive", /no tar/],
];

const zips: readonly Case[] = [
	["an encrypted entry", zip([ok, { name: "b", flags: 1 }]), "encrypted_archive", /"b": it is encrypted/],
	["an unknown compression", zip([ok, { name: "b", method: 12, content: "x" }]), "unsupported_archive", /\(12\)/],
	["a device", zip([ok, { name: "b", unixMode: 0o020644 }]), "unsafe_type", /neither a file/],
	["a directory that is a file", zip([ok, { name: "b", unixMode: 0o040755 }]), "unsafe_type", /neither a file/],
	["a directory with data", zip([{ name: "b/", content: "x", unixMode: 0 }]), "broken_archive", /data follows/],
	["a file twice", zip([ok, ok]), "duplicate_entry", /twice/],
	["another name in front", zip([{ ...ok, local: { name: "other.txt" } }]), "broken_archive", /different things/],
	["another method in front", zip([{ ...ok, local: { method: 0 } }]), "broken_archive", /different things/],
	["another size in the directory", zip([{ ...ok, central: { size: 4 } }]), "broken_archive", /different things/],
	[
		"another size behind",
		zip([{ ...ok, descriptor: true, central: { size: 4 } }]),
		"broken_archive",
		/different things/,
	],
	["a wrong checksum", zip([{ ...ok, descriptor: true, central: { crc32: 1 } }]), "broken_archive", /different things/],
	["a changed content", changed(zip([{ ...ok, stored: true }]), 30 + 9, 0x7a), "broken_archive", /another checksum/],
	[
		"a damaged compression",
		changed(zip([{ name: "a", content: "x".repeat(99) }]), 31, 0xff),
		"broken_archive",
		/decompressed/,
	],
	["an entry that lies in another", zip([ok, { name: "b", central: { offset: 0 } }]), "broken_archive", /./],
	["an entry that nobody lists", joined(zip([ok]).subarray(0, 44), zip([ok])), "broken_archive", /./],
	["something in front", joined(bytes("#!/bin/sh\n"), zip([ok])), "unsupported_archive", /no tar/],
	["something behind", joined(zip([ok]), bytes("more")), "broken_archive", /end is missing/],
	["no directory", zip([ok]).subarray(0, 40), "broken_archive", /end is missing/],
	["more entries than it lists", zip([ok], { count: 2 }), "broken_archive", /holds less/],
	["fewer entries than it lists", zip([ok, { name: "b" }], { count: 1 }), "broken_archive", /holds more/],
	["65535 entries and no ZIP64 record", zip([ok], { count: 0xffff }), "broken_archive", /ZIP64/],
	["a size of 64 bits that is missing", zip([{ ...ok, central: { size: 0xffff_ffff } }]), "broken_archive", /32 bits/],
	[
		"a size of 64 bits beyond reason",
		zip([{ ...ok, central: { size: 0xffff_ffff, extra: Uint8Array.of(1, 0, 8, 0, ...new Uint8Array(8).fill(255)) } }]),
		"broken_archive",
		/beyond reason/,
	],
];

const link = (target: string, name = "a/link") => ({ name, type: "2", target });
const links: readonly Case[] = [
	["an absolute link", tar(ok, link("/etc/passwd")), "unsafe_link", /points out/],
	["an absolute link into the workspace", tar(ok, link("/workspace/in/x")), "unsafe_link", /points out/],
	["a link upwards", tar(ok, link("../../x")), "unsafe_link", /points out/],
	["a link upwards by way of a name", tar(ok, link("b/../../../x")), "unsafe_link", /points out/],
	["a link without a target", tar(ok, link("")), "unsafe_link", /points out/],
	[
		"a link upwards in a zip",
		zip([ok, { name: "l", content: "../x", unixMode: 0o120777 }]),
		"unsafe_link",
		/points out/,
	],
	["a link that is written through", tar(link("b", "l"), { name: "l/x" }), "duplicate_entry", /below l/],
	["a link that is replaced", tar(link("b", "l"), { name: "l", content: "x" }), "duplicate_entry", /twice/],
	[
		"links that lead out together",
		tar({ name: "a/b/c/d", type: "5" }, link("../../..", "a/b/c/up"), link("a/b/c/up/../x", "out")),
		"unsafe_link",
		/leads out/,
	],
	["links in a circle", tar(link("y", "x"), link("x", "y")), "too_many_links", /circle/],
];

describe("an archive is refused as a whole, and nothing is changed, for", () => {
	it.each([...names, ...tars, ...globals, ...gzips, ...zips, ...links])("%s", async (_, archive, reason, message) => {
		const world = unpackingWorld();
		await world.onFiles((files) => files.write("/workspace/before", new Uint8Array(1)));
		const before = await world.tree();
		const reply = await world.unpack(archive);
		expect(reply).toMatchObject({ ok: false, reason, message: expect.stringMatching(message) });
		expect(await world.tree()).toEqual(before);
	});
});

describe("a bomb is refused while it unfolds:", () => {
	const limits = { files: { maxFileBytes: 1_000_000, maxWorkspaceBytes: 3_000_000 } };
	const zeros = "\0".repeat(900_000);

	it.each([
		["one large file in a tar.gz", gzipSync(tar({ name: "x", content: "\0".repeat(2_000_000) })), "file_too_large"],
		["one large file in a zip", zip([{ name: "x", content: "\0".repeat(2_000_000) }]), "file_too_large"],
		["many files in a zip", zip(["a", "b", "c", "d"].map((name) => ({ name, content: zeros }))), "archive_too_large"],
		[
			"many files in a tar.gz",
			gzipSync(tar(...["a", "b", "c", "d"].map((name) => ({ name, content: zeros })))),
			"archive_too_large",
		],
		["nothing but zeros", gzipSync(new Uint8Array(300_000_000)), "archive_too_large"],
		["too many entries in a zip", zip([{ name: "a" }], { count: 50_001 }), "archive_too_large"],
	])("%s", async (_, archive, reason) => {
		const world = unpackingWorld(limits);
		const reply = await world.unpack(archive, "/workspace/in", 65_536);
		expect(reply).toMatchObject({ ok: false, code: "too_large", reason });
		expect(await world.tree()).toEqual([]);
	});

	it.each([
		["a tar that never ends", tar({ name: "x" }), new Uint8Array(1_048_576), 210_000_000],
		["a gzip that never ends", gzipSync(tar({ name: "x" })), joined(...Array(20_000).fill(gzipSync(""))), 215_000_000],
	])("%s", async (_, first, more, maxSent) => {
		const world = unpackingWorld(limits);
		let sent = 0;
		const body = (async function* () {
			for (yield first; ; sent += more.length) yield more;
		})();
		const reply = await importArchive(world.workspace, world.contextOf(), { path: "in", body });
		expect(reply).toMatchObject({ ok: false, code: "too_large", reason: "archive_too_large" });
		expect(sent).toBeLessThan(maxSent);
		expect(await world.tree()).toEqual([]);
	});

	it("a zip that is larger than a file may be, with what to send instead", async () => {
		const world = unpackingWorld(limits);
		const large = zip(["a", "b"].map((name) => ({ name, content: zeros, stored: true })));
		const message = /may have as many bytes as a file, 1000000 \(settings, files\.maxFileBytes\)\. Send a tar/;
		expect(await world.unpack(large)).toMatchObject({
			...{ ok: false, code: "too_large", reason: "archive_too_large" },
			message: expect.stringMatching(message),
		});
	});

	it("a zip that says less than it holds", async () => {
		const world = unpackingWorld();
		const lying = zip([{ name: "x", content: "\0".repeat(1_000_000), descriptor: true, central: { size: 10 } }]);
		expect(await world.unpack(lying)).toMatchObject({ ok: false, reason: "broken_archive" });
	});
});
