import { collapse } from "./clean-text";
import { fenceFor } from "./code";
import { resolveUrl, type Scene } from "./scene";
import { type HtmlElement, type HtmlNode, isElement, textBelow } from "./tree";

/** Writes text and phrases as one run of Markdown; a line break in it is one that the page asks for. */
export function inlineText(nodes: readonly HtmlNode[], scene: Scene): string {
	const text = write(nodes, scene)
		.replace(/ {2,}/g, " ")
		.replace(/ ?\n ?/g, "\n")
		.replace(/\n{3,}/g, "\n\n")
		.trim();
	if (!scene.link || scene.link.used || text === "") return text;
	scene.link.used = true;
	return linkTo(scene.link.url, text);
}

const write = (nodes: readonly HtmlNode[], scene: Scene): string =>
	nodes.map((node) => (isElement(node) ? writeElement(node, scene) : collapse(node))).join("");

function writeElement(element: HtmlElement, scene: Scene): string {
	const mark = marks.get(element.tag);
	if (mark) return marked(mark, element, scene);
	const writer = writers.get(element.tag);
	return writer ? writer(element, scene) : write(element.children, scene);
}

/** Maps, since a page may hold an element that is named like a member of every object. */
const marks: ReadonlyMap<string, string> = new Map(
	Object.entries({
		strong: "**",
		b: "**",
		em: "*",
		i: "*",
		cite: "*",
		dfn: "*",
		del: "~~",
		s: "~~",
		strike: "~~",
	}),
);

type InlineWriter = (element: HtmlElement, scene: Scene) => string;

const writers: ReadonlyMap<string, InlineWriter> = new Map(
	Object.entries<InlineWriter>({
		br: () => "\n",
		a: writeLink,
		img: writeImage,
		code: writeCode,
		kbd: writeCode,
		samp: writeCode,
		tt: writeCode,
		q: (element, scene) => `“${write(element.children, scene).trim()}”`,
		sup: (element, scene) => raised(write(element.children, scene).trim()),
		math: (element, scene) =>
			element.attributes.alttext ? `$${element.attributes.alttext}$` : write(element.children, scene),
		// Elsewhere a check box is a control: pages use them to open menus without scripts.
		input: ({ attributes }, { nesting }) => (nesting > 0 ? checkBox(attributes) : ""),
	}),
);

const checkBox = ({ checked }: HtmlElement["attributes"]) => (checked === undefined ? "[ ] " : "[x] ");

/** Blanks at the edges go outside the marks, where Markdown wants them. */
function marked(mark: string, { children }: HtmlElement, scene: Scene): string {
	if (scene.marks.includes(mark)) return write(children, scene);
	const text = write(children, { ...scene, marks: [...scene.marks, mark] });
	const body = text.trim();
	if (body === "") return text;
	const lead = text.slice(0, text.length - text.trimStart().length);
	const tail = text.slice(text.trimEnd().length);
	return `${lead}${mark}${body}${mark}${tail}`;
}

function writeLink({ children, attributes }: HtmlElement, scene: Scene): string {
	const text = write(children, scene);
	const body = text.trim();
	// A sign that stands for "link to this heading" is no content.
	if (body === "" || /^[#¶§🔗]+$/u.test(body)) return body === "" ? text : "";
	const url = resolveUrl(attributes.href, scene);
	return url === undefined ? text : linkTo(url, body, text);
}

function linkTo(url: string, body: string, padded = body): string {
	const lead = padded.startsWith(" ") ? " " : "";
	const tail = padded.endsWith(" ") ? " " : "";
	const label = body.replace(/\s+/g, " ");
	return label === url ? `${lead}${url}${tail}` : `${lead}[${label}](${url})${tail}`;
}

function writeImage({ attributes }: HtmlElement, scene: Scene): string {
	const { alt, src, width, height } = attributes;
	const isDecoration = alt?.trim() === "" || width === "1" || height === "1" || width === "0" || height === "0";
	if (isDecoration) return "";
	const label = collapse(alt ?? "")
		.trim()
		.replace(/[[\]]/g, "");
	// Pages that load images late keep a placeholder in src.
	const url = resolveUrl(attributes["data-src"], scene) ?? resolveUrl(src, scene);
	return url === undefined ? label : `![${label}](${url})`;
}

function writeCode(element: HtmlElement): string {
	const code = collapse(textBelow(element)).trim();
	if (code === "") return "";
	const fence = fenceFor(code, 1);
	return code.startsWith("`") || code.endsWith("`") ? `${fence} ${code} ${fence}` : `${fence}${code}${fence}`;
}

/** 10⁶ must not become 106; a footnote's number already stands in brackets. */
function raised(text: string): string {
	if (text === "" || text.startsWith("[")) return text;
	return /^[\p{L}\p{N}+−-]+$/u.test(text) ? `^${text}` : `^(${text})`;
}
