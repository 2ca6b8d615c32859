/** The first `max` UTF-16 units, one fewer where that would cut a character in two. */
export function truncateChars(text: string, max: number): string {
	if (text.length <= max) return text;
	const cutsPair = max > 0 && isHighHalf(text.charCodeAt(max - 1)) && isLowHalf(text.charCodeAt(max));
	return text.slice(0, cutsPair ? max - 1 : max);
}

/** Bytes of the text in UTF-8, counted without encoding it. */
export function utf8Length(text: string): number {
	let length = text.length;
	for (let index = 0; index < text.length; index++) {
		const unit = text.charCodeAt(index);
		if (unit < 0x80) continue;
		length++;
		if (unit < 0x800) continue;
		length++;
		// A pair is two units and four bytes, all counted now; a lone half becomes U+FFFD, three bytes.
		if (isHighHalf(unit) && isLowHalf(text.charCodeAt(index + 1))) index++;
	}
	return length;
}

/** Removes what has no place in shown text: control characters (tab and newline stay) and marks that turn its direction. */
export const stripControl = (text: string): string =>
	text.replace(/[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "");

const isHighHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowHalf = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
