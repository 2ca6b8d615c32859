/** The parts of a page that its Markdown is made of. */
export interface HtmlElement {
	readonly tag: string;
	readonly attributes: Readonly<Record<string, string>>;
	readonly children: HtmlNode[];
	/** Whether a block stands anywhere below. */
	holdsBlock: boolean;
}

/** A text has its entities decoded and its white space as written. */
export type HtmlNode = HtmlElement | string;

export const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== "string";

export const hasTag = (node: HtmlNode, ...tags: readonly string[]): node is HtmlElement =>
	isElement(node) && tags.includes(node.tag);

/** Every element below that fits, outermost only: what lies inside a match is not looked at. */
export function findAll(nodes: readonly HtmlNode[], fits: (element: HtmlElement) => boolean): HtmlElement[] {
	return nodes.flatMap((node) => {
		if (!isElement(node)) return [];
		return fits(node) ? [node] : findAll(node.children, fits);
	});
}

/** All text below, as written. */
export function textBelow(node: HtmlNode): string {
	if (!isElement(node)) return node;
	return node.tag === "br" ? "\n" : node.children.map(textBelow).join("");
}

/** Characters of text below, white space left out. */
export function textLength(nodes: readonly HtmlNode[]): number {
	return nodes.reduce(
		(sum, node) => sum + (isElement(node) ? textLength(node.children) : node.replace(/\s+/g, "").length),
		0,
	);
}
