import { cleanText } from "./clean-text";
import { isLineNumber } from "./code";
import { blockTags, droppedTags, headingTags, impliedEndsOf, transparentTags, voidTags } from "./tags";
import type { HtmlElement } from "./tree";

/** An element whose end has not come. `node` is undefined inside what is dropped. */
export interface OpenElement {
	readonly tag: string;
	readonly node: HtmlElement | undefined;
	readonly depth: number;
}

export interface Decoders {
	text(raw: string): string;
	attribute(raw: string): string;
}

/** Elements nested deeper than this lose their own shape and keep their text. */
const maxDepth = 150;
/** Elements and texts of one page; what comes after them is left out. */
const maxNodes = 60_000;
const maxAttributeChars = 4_000;
const keptAttributes: ReadonlySet<string> = new Set(
	"href src data-src alt class start value reversed colspan rowspan role width height data-lang data-language checked type alttext".split(
		" ",
	),
);

/** Makes a tree of the tags and texts of a page as they come, the way a browser mends what is left out. */
export class TreeBuilder {
	readonly root: HtmlElement = { tag: "html", attributes: {}, children: [], holdsBlock: true };
	title = "";
	baseHref: string | undefined;
	hasScripts = false;
	private readonly decode: Decoders;
	private readonly maxTextChars: number;
	private readonly opened: OpenElement[] = [];
	private nodes = 0;
	private textChars = 0;

	constructor(decode: Decoders, maxTextChars: number) {
		this.decode = decode;
		this.maxTextChars = maxTextChars;
	}

	/** True when no more of the page is kept. */
	get isFull(): boolean {
		return this.nodes >= maxNodes || this.textChars >= this.maxTextChars;
	}

	/** Answers the open element to `close` later, or undefined for one that has no end tag. */
	open(tag: string, attributes: ReadonlyMap<string, string>): OpenElement | undefined {
		if (tag === "script") this.hasScripts = true;
		const dropped = this.isDropping || droppedTags.has(tag) || isHidden(tag, attributes);
		if (!dropped && isTransparent(tag, attributes)) return undefined;
		if (!dropped) this.endImplied(tag);
		if (tag === "base") this.baseHref ??= this.decode.attribute(attributes.get("href") ?? "") || undefined;
		const isVoid = voidTags.has(tag);
		if (isVoid && dropped) return undefined;
		const node = dropped ? undefined : this.append(tag, attributes);
		if (isVoid) return undefined;
		const element = { tag, node, depth: this.opened.length };
		this.opened.push(element);
		return element;
	}

	/** Ends an element and those still open inside it; one that has ended already stays so. */
	close(element: OpenElement): void {
		if (this.opened[element.depth] === element) this.opened.length = element.depth;
	}

	text(raw: string): void {
		if (raw === "" || this.isDropping || this.isFull) return;
		const text = cleanText(this.decode.text(raw));
		if (this.opened.at(-1)?.tag === "title") this.title ||= text.replace(/\s+/g, " ").trim();
		else if (text !== "") {
			this.nodes++;
			this.textChars += text.trim().length;
			this.parent.children.push(text);
		}
	}

	private get isDropping(): boolean {
		const innermost = this.opened.at(-1);
		return innermost !== undefined && innermost.node === undefined;
	}

	private get parent(): HtmlElement {
		return this.opened.at(-1)?.node ?? this.root;
	}

	private append(tag: string, raw: ReadonlyMap<string, string>): HtmlElement {
		const parent = this.parent;
		if (this.isFull || (this.opened.length >= maxDepth && !voidTags.has(tag))) return parent;
		const node: HtmlElement = { tag, attributes: this.keep(raw), children: [], holdsBlock: false };
		this.nodes++;
		parent.children.push(node);
		if (blockTags.has(tag)) this.markBlockAbove();
		return node;
	}

	private keep(raw: ReadonlyMap<string, string>): Record<string, string> {
		const kept = [...raw].filter(([name, value]) => keptAttributes.has(name) && value.length <= maxAttributeChars);
		return Object.fromEntries(kept.map(([name, value]) => [name, cleanText(this.decode.attribute(value))]));
	}

	private markBlockAbove(): void {
		for (let at = this.opened.length - 1; at >= 0; at--) {
			const node = this.opened[at]?.node;
			if (!node || node.holdsBlock) return;
			node.holdsBlock = true;
		}
	}

	private endImplied(tag: string): void {
		if (headingTags.has(tag) && headingTags.has(this.opened.at(-1)?.tag ?? "")) this.opened.pop();
		for (const { closes, within } of impliedEndsOf(tag)) {
			const nearest = this.opened
				.slice(-maxDepth)
				.findLast((element) => closes.has(element.tag) || within.has(element.tag));
			if (nearest && closes.has(nearest.tag)) this.opened.length = nearest.depth;
		}
	}
}

const isTransparent = (tag: string, attributes: ReadonlyMap<string, string>): boolean =>
	transparentTags.has(tag) && !isLineNumber({ attributes: { class: attributes.get("class") ?? "" } });

function isHidden(tag: string, attributes: ReadonlyMap<string, string>): boolean {
	const hidden = attributes.get("hidden");
	if (hidden !== undefined && hidden.toLowerCase() !== "until-found") return true;
	if (attributes.get("aria-hidden")?.toLowerCase() === "true") return true;
	if (tag === "dialog" && !attributes.has("open")) return true;
	if (tag === "input") return attributes.get("type")?.toLowerCase() !== "checkbox";
	const style = attributes.get("style");
	return style !== undefined && /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style);
}
