import type { HtmlElement } from "./tree";

/** What the place of an element in its page means for how it is written. */
export interface Scene {
	readonly base: URL | undefined;
	/** Leaves out navigation, and the page's own footer. */
	readonly skipsChrome: boolean;
	readonly inArticle: boolean;
	/** Lists and quotes around, each of which indents. */
	readonly nesting: number;
	/** Marks in force, which are not opened again. */
	readonly marks: readonly string[];
	/** Language that an element around a code block names. */
	readonly language: string;
	/** A link around blocks; the first text in it carries the URL. */
	readonly link: { readonly url: string; used: boolean } | undefined;
	/** Characters that URLs may still take: a long base must not blow up a page of short links. */
	readonly urls: { left: number };
}

export const newScene = (base: URL | undefined, skipsChrome: boolean): Scene => ({
	base,
	skipsChrome,
	inArticle: false,
	nesting: 0,
	marks: [],
	language: "",
	link: undefined,
	urls: { left: 300_000 },
});

const maxUrlChars = 2_000;
const schemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** The absolute form of a link's URL; undefined for one that leads nowhere a reader could go. */
export function resolveUrl(raw: string | undefined, { base, urls }: Scene): string | undefined {
	const written = raw?.trim();
	if (!written || written.startsWith("#")) return undefined;
	const url = URL.parse(written, base?.href);
	if (!url || !schemes.has(url.protocol)) return undefined;
	url.username = "";
	url.password = "";
	// Markdown ends a URL at its first parenthesis.
	const shown = url.href.replace(/\(/g, "%28").replace(/\)/g, "%29");
	if (shown.length > maxUrlChars || shown.length > urls.left) return undefined;
	urls.left -= shown.length;
	return shown;
}

const classLanguage =
	/(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s?|(?:hljs|sourceCode)\s+)([a-z0-9+#.]+)/i;
const noLanguage: ReadonlySet<string> = new Set([
	"none",
	"plain",
	"plaintext",
	"text",
	"default",
	"auto",
	"hljs",
	"language",
	"source",
]);

/** The programming language that an element's class names, or "". */
export function languageOf({ attributes }: HtmlElement): string {
	const named =
		attributes["data-lang"] ?? attributes["data-language"] ?? classLanguage.exec(attributes.class ?? "")?.[1] ?? "";
	const language = named.trim().toLowerCase();
	return noLanguage.has(language) || !/^[a-z0-9+#.-]{1,30}$/.test(language) ? "" : language;
}
