import { ArchiveRefused, nameOf } from "./archive-entry";
import {
	damaged,
	extraFields,
	Fields,
	in64,
	type RandomAccess,
	readExactly,
	resolve64,
	signatures,
} from "./zip-fields";

/** An entry as the central directory has it. */
export interface ZipEntry {
	readonly name: string;
	readonly flags: number;
	readonly method: number;
	readonly crc32: number;
	readonly packedSize: number;
	readonly size: number;
	/** Of its local header. */
	readonly offset: number;
	/** As Unix has it, with the type of the file; undefined where the archive comes from elsewhere. */
	readonly unixMode: number | undefined;
	readonly mtimeMs: number;
}

export interface ZipDirectory {
	readonly entries: readonly ZipEntry[];
	/** Where the entries end and the directory begins. */
	readonly start: number;
}

const endBytes = 22;
const locatorBytes = 20;
const centralBytes = 46;
const maxCommentBytes = 0xffff;
const maxDirectoryBytes = 33_554_432;

interface End {
	readonly count: number;
	readonly size: number;
	readonly offset: number;
	/** Where the directory must end. */
	readonly at: number;
}

/** The central directory, which alone says what a zip holds. Throws ArchiveRefused. */
export async function readZipDirectory(file: RandomAccess, maxEntries: number): Promise<ZipDirectory> {
	const { count, size, offset, at } = await findEnd(file);
	if (count > maxEntries) {
		throw new ArchiveRefused("archive_too_large", `The zip has ${count} entries; at most ${maxEntries} are unpacked.`);
	}
	if (offset + size !== at) throw damaged("its directory is not where it says");
	if (size > maxDirectoryBytes) throw new ArchiveRefused("archive_too_large", "The zip's directory is too large.");
	const bytes = await readExactly(file, offset, size);
	const entries: ZipEntry[] = [];
	let start = 0;
	for (let index = 0; index < count; index++) {
		const { entry, end } = entryAt(bytes, start);
		entries.push(entry);
		start = end;
	}
	if (start !== bytes.length) throw damaged("its directory holds more than it says");
	return { entries, start: offset };
}

async function findEnd(file: RandomAccess): Promise<End> {
	const length = Math.min(file.size, endBytes + maxCommentBytes);
	const tail = await readExactly(file, file.size - length, length);
	const fields = new Fields(tail);
	for (let at = tail.length - endBytes; at >= 0; at--) {
		if (fields.u32(at) !== signatures.end || at + endBytes + fields.u16(at + 20) !== tail.length) continue;
		const numbers = [fields.u16(at + 4), fields.u16(at + 6), fields.u16(at + 8), fields.u16(at + 10)] as const;
		const end = { count: numbers[3], size: fields.u32(at + 12), offset: fields.u32(at + 16) };
		const place = file.size - length + at;
		const found = (await findEnd64(file, place, end)) ?? { ...end, at: place };
		if (numbers[0] !== 0 || numbers[1] !== 0 || numbers[2] !== numbers[3]) {
			throw new ArchiveRefused("unsupported_archive", "The zip is one part of several; send it in one piece.");
		}
		return found;
	}
	throw damaged("its end is missing");
}

/** The record that ZIP64 puts before the end; it may only fill in what the end leaves open. */
async function findEnd64(file: RandomAccess, end: number, said: Omit<End, "at">): Promise<End | undefined> {
	const leavesOpen = said.count === 0xffff || said.size === in64 || said.offset === in64;
	const locator = end >= locatorBytes ? await readExactly(file, end - locatorBytes, locatorBytes) : undefined;
	if (!locator || new Fields(locator).u32(0) !== signatures.locator64) {
		if (leavesOpen) throw damaged("it says that it is a ZIP64 and is none");
		return undefined;
	}
	const at = new Fields(locator).u64(8);
	const record = new Fields(await readExactly(file, at, 56));
	if (record.u32(0) !== signatures.end64 || at + 12 + record.u64(4) !== end - locatorBytes) {
		throw damaged("its ZIP64 record is not where it says");
	}
	const found = { count: record.u64(32), size: record.u64(40), offset: record.u64(48), at };
	const agrees = (short: number, long: number, open: number) => short === open || short === long;
	const allAgree =
		agrees(said.count, found.count, 0xffff) &&
		agrees(said.size, found.size, in64) &&
		agrees(said.offset, found.offset, in64);
	if (!allAgree || record.u64(24) !== found.count) throw damaged("its ZIP64 record says something else than its end");
	return found;
}

function entryAt(bytes: Uint8Array, start: number): { entry: ZipEntry; end: number } {
	if (start + centralBytes > bytes.length) throw damaged("its directory holds less than it says");
	const fields = new Fields(bytes.subarray(start));
	if (fields.u32(0) !== signatures.central) throw damaged("its directory cannot be read");
	const nameEnd = start + centralBytes + fields.u16(28);
	const extraEnd = nameEnd + fields.u16(30);
	const end = extraEnd + fields.u16(32);
	if (end > bytes.length) throw damaged("its directory holds less than it says");
	const name = nameOf(bytes.subarray(start + centralBytes, nameEnd));
	if (name === undefined) {
		throw new ArchiveRefused(
			"unsafe_name",
			"A name in the zip is not in UTF-8; make it with a program that writes UTF-8.",
		);
	}
	const extra = extraFields(bytes.subarray(nameEnd, extraEnd));
	const [size = 0, packedSize = 0, offset = 0] = resolve64([fields.u32(24), fields.u32(20), fields.u32(42)], extra);
	const madeOn = fields.u16(4) >> 8;
	return {
		entry: {
			name,
			flags: fields.u16(8),
			method: fields.u16(10),
			crc32: fields.u32(16),
			packedSize,
			size,
			offset,
			// Unix and macOS.
			unixMode: madeOn === 3 || madeOn === 19 ? fields.u32(38) >>> 16 : undefined,
			mtimeMs: unixTime(extra) ?? dosTime(fields.u16(14), fields.u16(12)),
		},
		end,
	};
}

/** Seconds since 1970 in the extra field of Info-ZIP, where its first bit says that they are there. */
function unixTime(extra: ReadonlyMap<number, Uint8Array>): number | undefined {
	const field = extra.get(0x5455);
	if (!field || field.length < 5 || !((field[0] ?? 0) & 1)) return undefined;
	return new Fields(field).i32(1) * 1_000;
}

/** The clock of an unknown place, to two seconds; taken for UTC. */
const dosTime = (date: number, time: number): number =>
	Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2);
