import { stripControl } from "../lib/text";

/** One thing worth remembering, as stored. */
export interface MemoryEntry {
	readonly content: string;
	readonly scope: "core" | "archival";
	readonly createdAt: Date;
}

/** Makes a text fit for one line of MEMORY.md: no line breaks, and no heading that would pass for a section of it. */
export const memoryText = (text: string): string =>
	stripControl(text.replace(/\r\n?|[\u2028\u2029\v\f]/g, "\n"))
		.replace(/^[ \t]*#{1,6}(?=\s|$)/gm, "")
		.replace(/\s+/g, " ")
		.trim();

/** `- [2026-11-30T13:05:09Z] text` */
export const memoryLine = ({ content, createdAt }: Pick<MemoryEntry, "content" | "createdAt">): string =>
	`- [${createdAt.toISOString().replace(/\.\d+Z$/, "Z")}] ${memoryText(content)}`;
