import { ArchiveRefused } from "./archive-entry";

/** An archive of which any part can be read. */
export interface RandomAccess {
	readonly size: number;
	/** Fewer bytes at the end. */
	read(offset: number, length: number): Promise<Uint8Array>;
}

export const signatures = {
	local: 0x04034b50,
	central: 0x02014b50,
	end: 0x06054b50,
	end64: 0x06064b50,
	locator64: 0x07064b50,
	descriptor: 0x08074b50,
} as const;

/** What stands where the true number needs 64 bits. */
export const in64 = 0xffff_ffff;

/** Little-endian numbers at offsets of a record. */
export class Fields {
	readonly #view: DataView;

	constructor(bytes: Uint8Array) {
		this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	}

	u16 = (offset: number): number => this.#view.getUint16(offset, true);
	u32 = (offset: number): number => this.#view.getUint32(offset, true);
	i32 = (offset: number): number => this.#view.getInt32(offset, true);

	/** Throws ArchiveRefused beyond what a number can hold, which no archive of ours reaches. */
	u64(offset: number): number {
		const value = this.#view.getBigUint64(offset, true);
		if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged("a size in it is beyond reason");
		return Number(value);
	}
}

/** The extra fields of a header by id; the first of each. */
export function extraFields(bytes: Uint8Array): Map<number, Uint8Array> {
	const fields = new Map<number, Uint8Array>();
	const view = new Fields(bytes);
	for (let start = 0; start + 4 <= bytes.length; ) {
		const end = start + 4 + view.u16(start + 2);
		// Some writers fill up with zeros or with less than a field.
		if (end > bytes.length) break;
		const id = view.u16(start);
		if (!fields.has(id)) fields.set(id, bytes.subarray(start + 4, end));
		start = end;
	}
	return fields;
}

/** The numbers of a ZIP64 extra field stand for those that say `in64`, in this order. Throws ArchiveRefused where they are missing. */
export function resolve64(numbers: readonly number[], extra: ReadonlyMap<number, Uint8Array>): number[] {
	const field = extra.get(0x0001);
	let start = 0;
	return numbers.map((number) => {
		if (number !== in64) return number;
		start += 8;
		if (!field || field.length < start) throw damaged("a size of more than 32 bits is missing");
		return new Fields(field).u64(start - 8);
	});
}

/** Exactly so many bytes. Throws ArchiveRefused where there are fewer. */
export async function readExactly(file: RandomAccess, offset: number, length: number): Promise<Uint8Array> {
	const bytes = offset + length <= file.size ? await file.read(offset, length) : undefined;
	if (bytes?.length === length) return bytes;
	throw damaged("a part of it is missing");
}

export const damaged = (what: string, entry?: string) =>
	new ArchiveRefused("broken_archive", entry === undefined ? `The zip is damaged: ${what}.` : `${what}.`, entry);
