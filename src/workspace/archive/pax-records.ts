import { ArchiveRefused, nameOf } from "./archive-entry";

const space = 0x20;
const newline = 0x0a;
const kept = ["path", "linkpath", "size", "mtime"];

/** Says that a file is sparse, whichever of GNU's many keys does. */
export const sparseKey = "GNU.sparse";

/**
 * Records of a PAX extended header: `<length> <key>=<value>\n` each, the length counting all of it. Only those that are
 * used are kept, since the global ones of an archive add up. Throws ArchiveRefused.
 */
export function paxRecords(bytes: Uint8Array): Map<string, string> {
	const records = new Map<string, string>();
	for (let start = 0; start < bytes.length; ) {
		const blank = bytes.subarray(start, start + 12).indexOf(space);
		const length = blank > 0 ? Number(nameOf(bytes.subarray(start, start + blank))) : Number.NaN;
		const end = start + length;
		if (!Number.isSafeInteger(length) || length <= blank + 2 || end > bytes.length) throw broken();
		if (bytes[end - 1] !== newline) throw broken();
		const [key, value] = keyAndValue(bytes.subarray(start + blank + 1, end - 1));
		if (kept.includes(key)) records.set(key, value);
		else if (key.startsWith(`${sparseKey}.`)) records.set(sparseKey, value);
		start = end;
	}
	return records;
}

function keyAndValue(record: Uint8Array): [string, string] {
	const equals = record.indexOf(0x3d);
	const key = equals > 0 ? nameOf(record.subarray(0, equals)) : undefined;
	if (key === undefined) throw broken();
	const value = nameOf(record.subarray(equals + 1));
	// Attributes that we do not keep may be bytes of any kind.
	if (value === undefined && kept.includes(key)) throw broken();
	return [key, value ?? ""];
}

const broken = () =>
	new ArchiveRefused("broken_archive", "The archive is damaged: an extended header of it cannot be read.");
