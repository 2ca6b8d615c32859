import { findAll, type HtmlElement, type HtmlNode, textLength } from "./tree";

/** Less text than this is no page: a spinner, a cookie notice, the heading of an empty shell. */
export const enoughText = 200;

/** The part of a page that it is about: `<main>`, else an article that outweighs the others, else all of it. */
export function mainPart(root: HtmlElement): { nodes: readonly HtmlNode[]; isWhole: boolean } {
	const mains = findAll(
		root.children,
		({ tag, attributes }) => tag === "main" || attributes.role?.toLowerCase() === "main",
	);
	if (textLength(mains) >= enoughText) return { nodes: mains, isWhole: false };
	const articles = findAll(root.children, ({ tag }) => tag === "article").map((article) => ({
		article,
		length: textLength([article]),
	}));
	const total = articles.reduce((sum, { length }) => sum + length, 0);
	const leading = articles.find(({ length }) => length >= enoughText && length * 2 >= total);
	return leading ? { nodes: [leading.article], isWhole: false } : { nodes: root.children, isWhole: true };
}
