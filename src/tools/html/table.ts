import { findAll, type HtmlElement, type HtmlNode, hasTag, isElement } from "./tree";

export interface TableRow {
	readonly cells: readonly HtmlElement[];
	readonly isHead: boolean;
}

const maxColumns = 50;

/** The rows of a table in their order, those of an inner table left to it. */
export function rowsOf(table: HtmlElement): TableRow[] {
	return findAll(table.children, isTablePart).flatMap((part) => {
		if (part.tag === "tr") return [rowOf(part, false)];
		if (part.tag === "table") return [];
		return findAll(part.children, isTablePart).flatMap((row) =>
			row.tag === "tr" ? [rowOf(row, part.tag === "thead")] : [],
		);
	});
}

/** What stands in a table and in none of its rows: the caption, and what broken markup puts there. */
export const outsideRows = (table: HtmlElement): HtmlNode[] =>
	table.children.filter(
		(child) => !isElement(child) || (!isTablePart(child) && findAll(child.children, isTablePart).length === 0),
	);

/** An inner table counts as one, so that a search does not enter it. */
const isTablePart = ({ tag }: HtmlElement): boolean => ["tr", "thead", "tbody", "tfoot", "table"].includes(tag);

function rowOf(row: HtmlElement, inHead: boolean): TableRow {
	const cells = row.children.filter((child) => hasTag(child, "td", "th"));
	return { cells, isHead: cells.length > 0 && (inHead || cells.every((cell) => cell.tag === "th")) };
}

/** Whether the table only places things on the page: a grid would not say more than its parts in a row. */
export function isLayout(table: HtmlElement, rows: readonly TableRow[]): boolean {
	if (/^(presentation|none)$/i.test(table.attributes.role ?? "")) return true;
	if (rows.every(({ cells }) => cells.length <= 1)) return true;
	return findAll(table.children, (element) => hasTag(element, "table", "pre")).length > 0;
}

/** One cell's Markdown and how far it reaches. */
export interface Cell {
	readonly text: string;
	readonly columns: number;
	readonly rows: number;
}

export const spanOf = ({ attributes }: HtmlElement, name: "colspan" | "rowspan"): number => {
	const span = Number.parseInt(attributes[name] ?? "1", 10);
	return Number.isNaN(span) ? 1 : Math.min(Math.max(span, 1), maxColumns);
};

/** Writes a grid; a cell that reaches over several rows is repeated in each, so that every row can be read alone. */
export function grid(
	rows: readonly { readonly cells: readonly Cell[]; readonly isHead: boolean }[],
): string | undefined {
	const filled = fill(rows.map(({ cells }) => cells));
	const width = filled.reduce((most, row) => Math.max(most, row.length), 0);
	const headed = rows[0]?.isHead === true;
	const body = (headed ? filled.slice(1) : filled).filter((row) => row.some((text) => text !== ""));
	if (width === 0 || (body.length === 0 && !headed)) return undefined;
	const line = (row: readonly string[]) => `| ${Array.from({ length: width }, (_, at) => row[at] ?? "").join(" | ")} |`;
	return [line((headed && filled[0]) || []), `|${" --- |".repeat(width)}`, ...body.map(line)].join("\n");
}

function fill(rows: readonly (readonly Cell[])[]): string[][] {
	let below: { text: string; rows: number }[] = [];
	return rows.map((cells) => {
		const row: string[] = [];
		const next: typeof below = [];
		const place = (text: string, reach: number) => {
			if (reach > 1) next[row.length] = { text, rows: reach - 1 };
			row.push(text);
		};
		const fromAbove = () => {
			for (let above = below[row.length]; above && row.length < maxColumns; above = below[row.length])
				place(above.text, above.rows);
		};
		for (const cell of cells) {
			fromAbove();
			for (let column = 0; column < cell.columns && row.length < maxColumns; column++)
				place(column === 0 ? cell.text : "", cell.rows);
		}
		fromAbove();
		below = next;
		return row;
	});
}
