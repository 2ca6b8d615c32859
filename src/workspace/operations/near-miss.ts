/** Where a text that was not found nearly stands: the line that is like its first one but for white space. */
export function nearMiss(text: string, wanted: string): string | undefined {
	const first = wanted.split("\n").find((line) => line.trim() !== "");
	if (first === undefined) return undefined;
	const lines = text.split("\n");
	const near = lines.findIndex((line) => collapsed(line) === collapsed(first));
	if (near < 0) return undefined;
	const number = near + 1;
	if (text.includes("\r\n") && wanted.includes("\n") && !wanted.includes("\r")) {
		return `Line ${number} begins like it, but the lines of this file end in CRLF.`;
	}
	return lines[near] === first
		? `Its first line is line ${number}, but what follows there is different.`
		: `Line ${number} differs from its first line in white space only.`;
}

const collapsed = (line: string) => line.trim().replace(/\s+/g, " ");
