import { counted } from "../../lib/counted";
import type { TextPart } from "../../workspace/operations/read-text";

/** A part of a file as the model reads it: its text, then a line in brackets that says what it is of the whole. */
export function showPart(part: TextPart): string {
	const { path, text, size } = part;
	if (size === 0) return `[${path} is empty: 0 bytes.]`;
	if (text === "") return `[Nothing is there: ${path} has ${wholeSize(part)}.]`;
	return `${text}${text.endsWith("\n") ? "" : "\n"}[${path}: ${whichPart(part)}]`;
}

const wholeSize = ({ size, totalLines }: TextPart) =>
	[...(totalLines === undefined ? [] : [counted(totalLines, "line")]), counted(size, "byte")].join(", ");

function whichPart(part: TextPart): string {
	const { lines, bytes, size, totalLines, cutLine } = part;
	const isRest = bytes.end === size;
	if (isRest && bytes.start === 0) return `${wholeSize(part)}, whole.`;
	const total = totalLines === undefined ? "" : ` of ${totalLines}`;
	const which = lines ? `lines ${lines.first}-${lines.last}${total}, ` : "";
	const what = `${which}bytes ${bytes.start}-${bytes.end} of ${size}.`;
	if (isRest) return `${what} This is the end.`;
	if (!lines) return `${what} Read on with byte_offset ${bytes.end}.`;
	if (cutLine) return `${what} Line ${lines.last} is longer and cut here. Read on with byte_offset ${bytes.end}.`;
	return `${what} Read on with offset ${lines.last + 1}.`;
}
