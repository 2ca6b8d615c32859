/**
 * The lines of a stream of UTF-8, without their ends; what follows the last line end is a line too unless it is empty.
 * Throws when a line has over `maxChars` characters.
 */
export async function* readLines(
	stream: AsyncIterable<Uint8Array>,
	{ maxChars }: { maxChars: number },
): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let rest: string[] = [];
	let held = 0;
	for await (const piece of stream) {
		const lines = decoder.decode(piece, { stream: true }).split("\n");
		const last = lines.pop() ?? "";
		for (const line of lines) {
			if (held + line.length > maxChars) throw tooLong(maxChars);
			yield rest.join("") + line;
			rest = [];
			held = 0;
		}
		rest.push(last);
		held += last.length;
		if (held > maxChars) throw tooLong(maxChars);
	}
	const line = rest.join("") + decoder.decode();
	if (line !== "") yield line;
}

const tooLong = (maxChars: number): Error => new Error(`A line has over ${maxChars} characters.`);
