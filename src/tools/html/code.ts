import { languageOf } from "./scene";
import { findAll, type HtmlElement, type HtmlNode, isElement } from "./tree";

const lineNumbers =
	/(?:^|\s)(?:lineno|linenos|linenumber|line-number|line-numbers|line-numbers-rows|gutter|ln-num)(?:\s|$)/i;

/** A run of backticks longer than any in the code, and at least `least` long. */
export function fenceFor(code: string, least: number): string {
	const longest = (code.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 0);
	return "`".repeat(Math.max(least, longest + 1));
}

/** A fenced block: the text as written, the language where the page names one. */
export function codeBlock(pre: HtmlElement, languageAround: string): string | undefined {
	const code = pre.children.map(codeText).join("").replace(/^\n/, "").trimEnd();
	if (code.trim() === "") return undefined;
	const inner = findAll(pre.children, (element) => element.tag === "code" && languageOf(element) !== "")[0];
	const language = languageOf(pre) || (inner ? languageOf(inner) : "") || languageAround;
	const fence = fenceFor(code, 3);
	return `${fence}${language}\n${code}\n${fence}`;
}

function codeText(node: HtmlNode): string {
	if (!isElement(node)) return node;
	if (isLineNumber(node)) return "";
	return node.tag === "br" ? "\n" : node.children.map(codeText).join("");
}

export const isLineNumber = ({ attributes }: Pick<HtmlElement, "attributes">): boolean =>
	lineNumbers.test(attributes.class ?? "");
