import { cleanText, collapse } from "../html/clean-text";

/** The text of a snippet that may hold marks such as `<strong>` and character references. */
export async function plainText(html: string): Promise<string> {
	const { decodeHTML } = await import("entities/decode");
	return collapse(cleanText(decodeHTML(html.replace(/<\/?[a-z][^<>]*>/gi, "")))).trim();
}
