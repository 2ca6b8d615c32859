import { codeBlock, isLineNumber } from "./code";
import { inlineText } from "./inline";
import { languageOf, resolveUrl, type Scene } from "./scene";
import { grid, isLayout, outsideRows, rowsOf, spanOf } from "./table";
import { blockTags } from "./tags";
import { type HtmlElement, type HtmlNode, hasTag, isElement } from "./tree";

/** A paragraph, heading, list, table …: Markdown that stands alone. */
interface Block {
	readonly text: string;
	readonly isList?: boolean;
}

/** Quotes and lists nested deeper are written without another indent. */
const maxNesting = 12;

/** Writes parts of a page as Markdown, blocks parted by an empty line. */
export const renderMarkdown = (nodes: readonly HtmlNode[], scene: Scene): string => joinBlocks(blocksOf(nodes, scene));

const joinBlocks = (blocks: readonly Block[]): string => blocks.map(({ text }) => text).join("\n\n");

function blocksOf(nodes: readonly HtmlNode[], scene: Scene): Block[] {
	const blocks: Block[] = [];
	let run: HtmlNode[] = [];
	const endRun = () => {
		blocks.push(...paragraph(run, scene));
		run = [];
	};
	for (const node of nodes) {
		if (!isElement(node) || !(blockTags.has(node.tag) || node.holdsBlock)) {
			run.push(node);
			continue;
		}
		endRun();
		if (!isSkipped(node, scene)) blocks.push(...blockOf(node, scene));
	}
	endRun();
	return blocks;
}

function paragraph(run: readonly HtmlNode[], scene: Scene): Block[] {
	const text = inlineText(run, scene);
	return text === "" ? [] : [{ text }];
}

function isSkipped({ tag, attributes }: HtmlElement, { skipsChrome, inArticle }: Scene): boolean {
	if (!skipsChrome) return false;
	const role = attributes.role?.toLowerCase();
	if (tag === "nav" || role === "navigation") return true;
	return !inArticle && (tag === "footer" || role === "contentinfo");
}

function blockOf(element: HtmlElement, scene: Scene): Block[] {
	const writer = writers.get(element.tag);
	if (writer) return writer(element, scene);
	const language = languageOf(element) || scene.language;
	return blocksOf(element.children, { ...scene, language });
}

const article = (element: HtmlElement, scene: Scene) => blocksOf(element.children, { ...scene, inArticle: true });

type BlockWriter = (element: HtmlElement, scene: Scene) => Block[];

const writers: ReadonlyMap<string, BlockWriter> = new Map(
	Object.entries<BlockWriter>({
		...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, heading(level)])),
		article,
		main: article,
		section: article,
		a: linkedBlocks,
		blockquote: quote,
		pre: code,
		xmp: code,
		hr: () => [{ text: "---" }],
		ul: list,
		ol: list,
		menu: list,
		dir: list,
		dl: definitions,
		table,
	}),
);

function heading(level: number) {
	return (element: HtmlElement, scene: Scene): Block[] => {
		const text = inlineText(element.children, { ...scene, marks: ["**"] }).replace(/\n/g, " ");
		return text === "" ? [] : [{ text: `${"#".repeat(level)} ${text}` }];
	};
}

function linkedBlocks(element: HtmlElement, scene: Scene): Block[] {
	const url = resolveUrl(element.attributes.href, scene);
	return blocksOf(element.children, url === undefined ? scene : { ...scene, link: { url, used: false } });
}

function quote(element: HtmlElement, scene: Scene): Block[] {
	const inner = { ...scene, inArticle: true, nesting: scene.nesting + 1 };
	const blocks = blocksOf(element.children, inner);
	if (blocks.length === 0 || scene.nesting >= maxNesting) return blocks;
	return [{ text: joinBlocks(blocks).replace(/^.*$/gm, (line) => (line === "" ? ">" : `> ${line}`)) }];
}

function code(element: HtmlElement, { language }: Scene): Block[] {
	const text = codeBlock(element, language);
	return text === undefined ? [] : [{ text }];
}

function list(element: HtmlElement, scene: Scene): Block[] {
	if (scene.nesting >= maxNesting) return blocksOf(element.children, scene);
	const ordered = element.tag === "ol";
	const step = ordered && element.attributes.reversed !== undefined ? -1 : 1;
	const size = element.children.filter((child) => hasTag(child, "li")).length;
	let number = integerIn(element, "start") ?? (step < 0 ? size : 1);
	const items: string[] = [];
	for (const child of element.children) {
		const isItem = hasTag(child, "li");
		const text = itemText(isItem ? child.children : [child], scene);
		if (isItem) number = integerIn(child, "value") ?? number;
		const last = items.at(-1);
		// A list put straight into a list belongs to the item before it.
		if (text !== "" && hasTag(child, "ul", "ol") && last !== undefined)
			items[items.length - 1] = `${last}\n${indent(text, ordered ? 3 : 2)}`;
		else if (text !== "") items.push(bullet(ordered ? `${number}. ` : "- ", text));
		if (isItem) number += step;
	}
	return items.length === 0 ? [] : [{ text: items.join("\n"), isList: true }];
}

function itemText(nodes: readonly HtmlNode[], scene: Scene): string {
	const [first, ...rest] = blocksOf(nodes, { ...scene, inArticle: true, nesting: scene.nesting + 1 });
	if (!first) return "";
	// Some pages write the sign of an item into its text.
	const start = first.isList ? first.text : first.text.replace(/^[-–•·] /, "");
	return rest.reduce((item, { text, isList }) => `${item}${isList ? "\n" : "\n\n"}${text}`, start);
}

const bullet = (marker: string, text: string): string => marker + indent(text, marker.length).trimStart();

const indent = (text: string, width: number): string => text.replace(/^(?=.)/gm, " ".repeat(width));

function integerIn({ attributes }: HtmlElement, name: string): number | undefined {
	const number = Number.parseInt(attributes[name] ?? "", 10);
	return Number.isNaN(number) ? undefined : number;
}

function definitions(element: HtmlElement, scene: Scene): Block[] {
	const lines = element.children.flatMap((child): string[] => {
		if (hasTag(child, "div")) return definitions(child, scene).map(({ text }) => text);
		if (!isElement(child)) return [];
		const text = itemText(child.children, scene);
		if (text === "") return [];
		return [child.tag === "dt" ? `**${text.replaceAll("**", "")}**` : bullet(": ", text)];
	});
	return lines.length === 0 ? [] : [{ text: lines.join("\n") }];
}

function table(element: HtmlElement, scene: Scene): Block[] {
	const rows = rowsOf(element);
	const outside = blocksOf(outsideRows(element), scene);
	if (isLayout(element, rows)) return [...outside, ...rows.flatMap(({ cells }) => layoutRow(cells, scene))];
	const text = grid(
		rows.map(({ cells, isHead }) => ({
			isHead,
			cells: cells.map((cell) => ({
				text: cellText(cell, scene),
				columns: spanOf(cell, "colspan"),
				rows: spanOf(cell, "rowspan"),
			})),
		})),
	);
	return text === undefined ? outside : [...outside, { text }];
}

function layoutRow(cells: readonly HtmlElement[], scene: Scene): Block[] {
	const shown = cells.filter((cell) => !isLineNumber(cell));
	if (shown.some((cell) => cell.holdsBlock)) return shown.flatMap((cell) => blocksOf(cell.children, scene));
	return paragraph(
		shown.flatMap((cell) => [...cell.children, " "]),
		scene,
	);
}

function cellText({ children }: HtmlElement, scene: Scene): string {
	const blocks = blocksOf(children, { ...scene, nesting: maxNesting });
	return blocks.map(({ text }) => text.trim().replace(/\|/g, "\\|").replace(/\n+/g, "<br>")).join("<br>");
}
