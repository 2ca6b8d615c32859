import { type ArchiveEntry, ArchiveRefused, nameOf, noContent } from "./archive-entry";
import type { ByteSource } from "./byte-source";
import { paxRecords, sparseKey } from "./pax-records";
import { blockBytes, isZero, parseTarHeader, type TarHeader } from "./tar-header";

const maxExtensionBytes = 1_048_576;

/** What stands before a header and says more than fits into it. */
interface Extension {
	name?: Uint8Array;
	target?: Uint8Array;
	records?: ReadonlyMap<string, string>;
}

/**
 * The entries of a tar (ustar, PAX, GNU) as they come. Throws ArchiveRefused for what is damaged, and for what is no file,
 * directory or symlink. Not by modern-tar: it takes each type that it does not know for a file, sparse ones too.
 */
export async function* readTar(source: ByteSource): AsyncGenerator<ArchiveEntry, void, void> {
	let global: ReadonlyMap<string, string> = new Map();
	let extension: Extension = {};
	for (;;) {
		const block = await source.take(blockBytes);
		if (isZero(block)) break;
		const header = parseTarHeader(block);
		if (header.type === "g") {
			global = new Map([...global, ...paxRecords(await extensionOf(source, header))]);
			continue;
		}
		const more = await readExtension(source, header);
		if (more) {
			if (Object.keys(more).some((key) => key in extension))
				throw broken("it has two extended headers of one kind in a row");
			extension = { ...extension, ...more };
			continue;
		}
		const { size, ...entry } = entryOf(header, extension, global);
		const content = source.pieces(size);
		yield { ...entry, content: size === 0 ? noContent : content };
		for await (const _ of content);
		await source.take(paddingOf(size));
		extension = {};
	}
	if (Object.keys(extension).length > 0) throw broken("it ends after an extended header");
	for await (const bytes of source.rest()) if (!isZero(bytes)) throw broken("something follows after its end");
}

async function readExtension(source: ByteSource, header: TarHeader): Promise<Extension | undefined> {
	if (header.type === "x") return { records: paxRecords(await extensionOf(source, header)) };
	if (header.type === "L") return { name: beforeNul(await extensionOf(source, header)) };
	if (header.type === "K") return { target: beforeNul(await extensionOf(source, header)) };
	return undefined;
}

async function extensionOf(source: ByteSource, { size }: TarHeader): Promise<Uint8Array> {
	if (size < 0 || size > maxExtensionBytes) throw broken("an extended header of it is too large");
	const bytes = await source.take(size);
	await source.take(paddingOf(size));
	return bytes;
}

function entryOf(
	header: TarHeader,
	extension: Extension,
	global: ReadonlyMap<string, string>,
): Omit<ArchiveEntry, "content"> & { size: number } {
	// An empty value takes back what a header before it said.
	const record = (key: string) => (extension.records?.get(key) ?? global.get(key)) || undefined;
	const name = record("path") ?? nameOf(extension.name ?? header.name);
	if (name === undefined) throw new ArchiveRefused("unsafe_name", "A name in the archive is not in UTF-8.");
	if (name === "") throw new ArchiveRefused("unsafe_name", "A name in the archive is empty.");
	const isSparse = global.has(sparseKey) || (extension.records?.has(sparseKey) ?? false);
	const kind = isSparse ? undefined : kindOf(header.type, name);
	if (!kind) throw new ArchiveRefused("unsafe_type", refusedType(isSparse ? "S" : header.type), name);
	const size = numberOf(record("size") ?? String(header.size), name);
	if (kind !== "file" && size > 0) {
		throw new ArchiveRefused("broken_archive", `it is a ${kind} and says that data follows.`, name);
	}
	const target = kind === "symlink" ? (record("linkpath") ?? nameOf(extension.target ?? header.target)) : undefined;
	if (kind === "symlink" && target === undefined) {
		throw new ArchiveRefused("unsafe_link", "what it points to is not in UTF-8.", name);
	}
	return {
		name,
		kind,
		mode: header.mode & 0o777,
		mtimeMs: timeOf(record("mtime"), header),
		size,
		...(target !== undefined && { target }),
	};
}

function kindOf(type: string, name: string): ArchiveEntry["kind"] | undefined {
	// Tars older than POSIX had no type for a directory.
	if (type === "0" || type === "7") return name.endsWith("/") ? "directory" : "file";
	if (type === "5") return "directory";
	return type === "2" ? "symlink" : undefined;
}

const types: Readonly<Record<string, string>> = {
	"1": "a hard link",
	"3": "a device",
	"4": "a device",
	"6": "a named pipe",
	S: "a sparse file",
};

const refusedType = (type: string) =>
	`it is ${types[type] ?? `of the type ${JSON.stringify(type)}`}; only files, directories and symbolic links are unpacked.`;

function numberOf(digits: string, name: string): number {
	const value = /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
	if (Number.isSafeInteger(value)) return value;
	throw new ArchiveRefused("broken_archive", "its size is no number.", name);
}

function timeOf(record: string | undefined, { mtimeSeconds }: TarHeader): number {
	const seconds = record !== undefined && /^-?\d{1,12}(\.\d+)?$/.test(record) ? Number(record) : mtimeSeconds;
	return Math.floor(seconds * 1_000);
}

function beforeNul(bytes: Uint8Array): Uint8Array {
	const end = bytes.indexOf(0);
	return end < 0 ? bytes : bytes.subarray(0, end);
}

const paddingOf = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes;

const broken = (what: string) => new ArchiveRefused("broken_archive", `The archive is damaged: ${what}.`);
