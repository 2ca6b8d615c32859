import { stripControl } from "../../lib/text";

/** Removes what nobody sees and a model would read: invisible characters, tag characters, marks that turn the direction. */
export const cleanText = (text: string): string =>
	stripControl(text.replace(/\r\n?|\f|\u2028|\u2029/g, "\n")).replace(
		/[\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu,
		"",
	);

const han = "[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u3000-\\u303f\\uff00-\\uffef]";
const lineBreakInHan = new RegExp(`(?<=${han})[ \\t]*\\n\\s*(?=${han})`, "gu");

/** White space as a browser shows it: one blank for a run, and none where a line breaks between Chinese or Japanese. */
export const collapse = (text: string): string => text.replace(lineBreakInHan, "").replace(/[\s\u00a0]+/g, " ");
