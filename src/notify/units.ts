import { utf8Length } from "../lib/text";

/** Size of a text in a limit's unit. Additive: the sizes of two pieces are the size of the two together. */
export type Measure = (text: string) => number;

export const utf16Units: Measure = (text) => text.length;

export function codePoints(text: string): number {
	let count = 0;
	for (const _ of text) count++;
	return count;
}

/** Bytes of a text inside a JSON string, escapes included. */
export const jsonBytes: Measure = (text) => utf8Length(JSON.stringify(text)) - 2;

/** Bytes of a value as a JSON body. */
export const bodyBytes = (body: unknown): number => utf8Length(JSON.stringify(body));
