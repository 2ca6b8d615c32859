import { crc32 } from "node:zlib";
import { inflated } from "../../lib/zlib-stream";
import { type ArchiveEntry, ArchiveRefused, nameOf, noContent } from "./archive-entry";
import { readZipDirectory, type ZipEntry } from "./zip-directory";
import { damaged, extraFields, Fields, type RandomAccess, readExactly, resolve64, signatures } from "./zip-fields";

const localBytes = 30;
const pieceBytes = 65_536;
const maxTargetBytes = 4_095;
/** Encrypted, encrypted strongly, directory masked. */
const encrypted = 0x0001 | 0x0040 | 0x2000;
const withDescriptor = 0x0008;
/** The others say how hard was compressed, and which letters the name has, which are compared themselves. */
const comparedFlags = encrypted | withDescriptor;
const stored = 0;
const deflated = 8;
const fileType = { mask: 0o170000, file: 0o100000, directory: 0o040000, symlink: 0o120000 } as const;

/**
 * The entries of a zip in the order in which they lie there. What stands before an entry must agree with the directory, and
 * entries must lie one after the other, so that every reader sees the same ones. Throws ArchiveRefused.
 */
export async function* readZip(file: RandomAccess, maxEntries: number): AsyncGenerator<ArchiveEntry, void, void> {
	const directory = await readZipDirectory(file, maxEntries);
	const entries = directory.entries.toSorted((left, right) => left.offset - right.offset);
	if ((entries[0]?.offset ?? directory.start) !== 0) throw damaged("something stands before its first entry");
	for (const [index, entry] of entries.entries()) {
		const kind = kindOf(entry);
		const start = await checkLocal(file, entry);
		await checkDescriptor(file, entry, {
			start: start + entry.packedSize,
			end: entries[index + 1]?.offset ?? directory.start,
		});
		const content = entry.size === 0 && entry.packedSize === 0 ? noContent : contentOf(file, entry, start);
		const { name, mtimeMs, unixMode } = entry;
		const target = kind === "symlink" ? { target: await targetOf(entry, content) } : {};
		const mode = unixMode ? unixMode & 0o777 : undefined;
		yield { name, kind, mode, mtimeMs, ...target, content: kind === "symlink" ? noContent : content };
	}
}

function kindOf({ name, flags, method, size, packedSize, unixMode = 0 }: ZipEntry): ArchiveEntry["kind"] {
	if (flags & encrypted)
		throw new ArchiveRefused("encrypted_archive", "it is encrypted; send it without a password.", name);
	if (method !== stored && method !== deflated) {
		throw new ArchiveRefused("unsupported_archive", `its method of compression (${method}) is not known here.`, name);
	}
	if (method === stored && size !== packedSize) throw damaged("it is not compressed and has two sizes", name);
	const type = unixMode & fileType.mask;
	const isDirectory = name.endsWith("/");
	if (isDirectory && (type === 0 || type === fileType.directory)) {
		if (size === 0) return "directory";
		throw damaged("it is a directory and says that data follows", name);
	}
	if (!isDirectory && (type === 0 || type === fileType.file)) return "file";
	if (!isDirectory && type === fileType.symlink) return "symlink";
	throw new ArchiveRefused("unsafe_type", "it is neither a file, a directory nor a symbolic link.", name);
}

/** Compares the header before the content with the directory; answers where the content begins. */
async function checkLocal(file: RandomAccess, entry: ZipEntry): Promise<number> {
	const fields = new Fields(await readExactly(file, entry.offset, localBytes));
	if (fields.u32(0) !== signatures.local) throw damaged("it is not where the directory says", entry.name);
	const nameBytes = fields.u16(26);
	const rest = await readExactly(file, entry.offset + localBytes, nameBytes + fields.u16(28));
	const extra = extraFields(rest.subarray(nameBytes));
	const crc = fields.u32(14);
	// Whoever did not know the numbers yet has left them empty.
	const isLater = (entry.flags & withDescriptor) !== 0 && crc === 0;
	const [size, packedSize] = isLater ? [] : resolve64([fields.u32(22), fields.u32(18)], extra);
	const agrees =
		nameOf(rest.subarray(0, nameBytes)) === entry.name &&
		(fields.u16(6) & comparedFlags) === (entry.flags & comparedFlags) &&
		fields.u16(8) === entry.method &&
		(isLater || (crc === entry.crc32 && size === entry.size && packedSize === entry.packedSize));
	if (!agrees) throw damaged("its own header and the directory say different things", entry.name);
	return entry.offset + localBytes + rest.length;
}

/** What lies between a content and the next entry: nothing, or the numbers that were not known before it. */
async function checkDescriptor(
	file: RandomAccess,
	entry: ZipEntry,
	gap: { start: number; end: number },
): Promise<void> {
	const length = gap.end - gap.start;
	if (!(entry.flags & withDescriptor)) {
		if (length === 0) return;
		throw damaged(length < 0 ? "it overlaps what follows" : "something lies between it and what follows", entry.name);
	}
	if (![12, 16, 20, 24].includes(length)) throw damaged("what follows its content cannot be read", entry.name);
	const fields = new Fields(await readExactly(file, gap.start, length));
	const isSigned = length === 16 || length === 24;
	const start = isSigned ? 4 : 0;
	const [packedSize, size] =
		length >= 20 ? [fields.u64(start + 4), fields.u64(start + 12)] : [fields.u32(start + 4), fields.u32(start + 8)];
	const agrees = fields.u32(start) === entry.crc32 && packedSize === entry.packedSize && size === entry.size;
	if (!agrees || (isSigned && fields.u32(0) !== signatures.descriptor)) {
		throw damaged("what follows its content and the directory say different things", entry.name);
	}
}

/** Decompressed bytes, which never become more than the directory says. */
async function* contentOf(file: RandomAccess, entry: ZipEntry, start: number): AsyncGenerator<Uint8Array, void, void> {
	const packed = packedPieces(file, start, entry.packedSize);
	let size = 0;
	let crc = 0;
	for await (const bytes of entry.method === deflated ? inflated(packed, "deflate-raw") : packed) {
		size += bytes.length;
		if (size > entry.size) break;
		crc = crc32(bytes, crc);
		yield bytes;
	}
	if (size !== entry.size) throw damaged("its content has another size than the directory says", entry.name);
	if (crc !== entry.crc32) throw damaged("its content has another checksum than the directory says", entry.name);
}

async function* packedPieces(
	file: RandomAccess,
	start: number,
	length: number,
): AsyncGenerator<Uint8Array, void, void> {
	for (let at = 0; at < length; at += pieceBytes) {
		yield await readExactly(file, start + at, Math.min(pieceBytes, length - at));
	}
}

async function targetOf({ name, size }: ZipEntry, content: AsyncIterable<Uint8Array>): Promise<string> {
	if (size > maxTargetBytes) throw new ArchiveRefused("unsafe_link", "what it points to is too long.", name);
	const bytes = new Uint8Array(size);
	let at = 0;
	for await (const piece of content) {
		bytes.set(piece, at);
		at += piece.length;
	}
	const target = nameOf(bytes);
	if (target === undefined) throw new ArchiveRefused("unsafe_link", "what it points to is not in UTF-8.", name);
	return target;
}
