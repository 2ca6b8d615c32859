import type { TextPart } from "../../workspace/operations/read-text";

/** A part of a file as the model reads it: its text, then a line in brackets that says what it is of the whole. */
export function showPart(part: TextPart): string {
	const { text, size } = part;
	if (size === 0) return `[${part.path} is empty: 0 bytes.]`;
	const gap = text === "" || text.endsWith("\n") ? "" : "\n";
	return `${text}${gap}[${text === "" ? nothingThere(part) : whichPart(part)}]`;
}

function nothingThere({ path, lines, bytes, size, totalLines }: TextPart): string {
	if (!lines) return `There is no byte ${bytes.start}: ${path} has ${size} bytes.`;
	return `There is no line ${lines.first}: ${path} has ${totalLines} lines, ${size} bytes.`;
}

function whichPart({ path, lines, bytes, size, totalLines, cutLine }: TextPart): string {
	const range = `bytes ${bytes.start}-${bytes.end} of ${size}`;
	const isRest = bytes.end === size;
	if (!lines) {
		return `${path}: ${range}. ${isRest ? "This is the end." : `Read on with byte_offset ${bytes.end}.`}`;
	}
	const total = totalLines === undefined ? "" : ` of ${totalLines}`;
	const what = `${path}: lines ${lines.first}-${lines.last}${total}, ${range}.`;
	if (isRest)
		return lines.first === 1 ? `${path}: ${totalLines} lines, ${size} bytes, whole.` : `${what} This is the end.`;
	if (cutLine) return `${what} Line ${lines.last} is longer and cut here. Read on with byte_offset ${bytes.end}.`;
	return `${what} Read on with offset ${lines.last + 1}.`;
}
