import { crc32, deflateRawSync } from "node:zlib";

const encoder = new TextEncoder();

export const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
	new Uint8Array(Buffer.concat(parts));

export interface TarFields {
	readonly name: string | Uint8Array;
	readonly content?: string;
	readonly type?: string;
	readonly target?: string;
	readonly mode?: number;
	/** What the header says, where it is not the length of the content. */
	readonly size?: number;
	readonly mtime?: number;
}

/** One entry of a tar, as right or as wrong as its fields. */
export function tarEntry({
	name,
	content = "",
	type = "0",
	target = "",
	mode = 0o644,
	...said
}: TarFields): Uint8Array {
	const body = encoder.encode(content);
	const header = new Uint8Array(512);
	const text = (at: number, value: string | Uint8Array) =>
		header.set(typeof value === "string" ? encoder.encode(value) : value, at);
	const octal = (at: number, digits: number, value: number) => text(at, `${value.toString(8).padStart(digits, "0")}\0`);
	text(0, name);
	octal(100, 7, mode);
	octal(124, 11, said.size ?? body.length);
	octal(136, 11, said.mtime ?? 1_700_000_000);
	text(156, type);
	text(157, target);
	text(257, "ustar\x0000");
	text(148, "        ");
	octal(
		148,
		6,
		header.reduce((sum, byte) => sum + byte, 0),
	);
	return joined(header, body, new Uint8Array((512 - (body.length % 512)) % 512));
}

/** A PAX header for the entry that follows. */
export function paxHeader(records: Readonly<Record<string, string>>, type = "x"): Uint8Array {
	const content = Object.entries(records).map(([key, value]) => {
		const rest = ` ${key}=${value}\n`;
		const bytes = encoder.encode(rest).length;
		let length = bytes + 1;
		while (length !== bytes + String(length).length) length = bytes + String(length).length;
		return `${length}${rest}`;
	});
	return tarEntry({ name: "pax", content: content.join(""), type });
}

export const tarEnd = new Uint8Array(1_024);
export const tar = (...entries: readonly (TarFields | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
	joined(...entries.map((entry) => (entry instanceof Uint8Array ? entry : tarEntry(entry))), tarEnd);

export interface ZipFields {
	readonly name: string | Uint8Array;
	readonly content?: string;
	/** By default it is compressed. */
	readonly stored?: boolean;
	readonly unixMode?: number;
	readonly flags?: number;
	/** Puts the numbers behind the content. */
	readonly descriptor?: boolean;
	/** What the directory says, where it is not what is true. */
	readonly central?: {
		name?: string;
		size?: number;
		crc32?: number;
		packedSize?: number;
		offset?: number;
		extra?: Uint8Array;
	};
	readonly local?: { name?: string; method?: number };
	readonly method?: number;
}

const u16 = (value: number) => new Uint8Array([value & 255, value >> 8]);
const u32 = (value: number) => new Uint8Array(new Uint32Array([value]).buffer);
const toBytes = (value: string | Uint8Array) => (typeof value === "string" ? encoder.encode(value) : value);

/** A zip, as right or as wrong as the fields of its entries. */
export function zip(
	entries: readonly ZipFields[],
	{ count = entries.length, comment = "" } = {},
): Uint8Array<ArrayBuffer> {
	const locals: Uint8Array[] = [];
	const directory: Uint8Array[] = [];
	let offset = 0;
	for (const entry of entries) {
		const { local, central } = zipEntry(entry, offset);
		locals.push(local);
		directory.push(central);
		offset += local.length;
	}
	const listed = joined(...directory);
	const end = joined(
		u32(0x06054b50),
		new Uint8Array(4),
		u16(count),
		u16(count),
		u32(listed.length),
		u32(offset),
		u16(comment.length),
		encoder.encode(comment),
	);
	return joined(...locals, listed, end);
}

function zipEntry(entry: ZipFields, offset: number): { local: Uint8Array; central: Uint8Array } {
	const { name, content = "", central = {}, local = {}, unixMode = 0o100644 } = entry;
	const body = encoder.encode(content);
	const packed = entry.stored ? body : new Uint8Array(deflateRawSync(body));
	const method = entry.method ?? (entry.stored ? 0 : 8);
	const flags = (entry.flags ?? 0x0800) | (entry.descriptor ? 8 : 0);
	const crc = crc32(body);
	const numbers = (said: NonNullable<ZipFields["central"]>) =>
		joined(u32(said.crc32 ?? crc), u32(said.packedSize ?? packed.length), u32(said.size ?? body.length));
	const time = joined(u16(0), u16(0x5b21));
	const localName = toBytes(local.name ?? name);
	const centralName = toBytes(central.name ?? name);
	const extra = central.extra ?? new Uint8Array(0);
	return {
		local: joined(
			joined(u32(0x04034b50), u16(20), u16(flags), u16(local.method ?? method), time),
			joined(entry.descriptor ? new Uint8Array(12) : numbers({}), u16(localName.length), u16(0), localName, packed),
			...(entry.descriptor ? [u32(0x08074b50), numbers({})] : []),
		),
		central: joined(
			joined(u32(0x02014b50), u16(0x031e), u16(20), u16(flags), u16(method), time, numbers(central)),
			joined(u16(centralName.length), u16(extra.length), new Uint8Array(6)),
			joined(u16(0), u16(unixMode), u32(central.offset ?? offset), centralName, extra),
		),
	};
}
