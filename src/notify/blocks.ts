/** A line of text with its newline, or a fenced code block of several lines. */
export interface Block {
	readonly text: string;
	/** Of a fenced block: its first line with the newline, and the marker that closes it. */
	readonly fence?: { readonly opener: string; readonly marker: string };
}

/** Cuts Markdown into lines and fenced blocks; joined they are the text. A fence without an end goes on to the last line. */
export function blocksOf(text: string): readonly Block[] {
	const lines = linesOf(text);
	const blocks: Block[] = [];
	for (let index = 0; index < lines.length; ) {
		const opener = lines[index] ?? "";
		const marker = /^ {0,3}(`{3,}|~{3,})/.exec(opener)?.[1];
		if (marker === undefined) {
			blocks.push({ text: opener });
			index++;
			continue;
		}
		const end = endOfFence(lines, index + 1, marker);
		blocks.push({ text: lines.slice(index, end).join(""), fence: { opener, marker } });
		index = end;
	}
	return blocks;
}

/** Lines with their newlines; joined they are the text. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Behind the line that closes a fence, or behind the last one. */
function endOfFence(lines: readonly string[], from: number, marker: string): number {
	let at = from;
	while (at < lines.length && !isClosing(lines[at] ?? "", marker)) at++;
	return Math.min(at + 1, lines.length);
}

function isClosing(line: string, marker: string): boolean {
	const found = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
	return found !== undefined && found[0] === marker[0] && found.length >= marker.length;
}
