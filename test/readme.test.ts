import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./support/node/source";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const codeBlocks = (text: string) => text.match(/^```[\s\S]*?^```$/gm) ?? [];
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "");

/** What two languages have in common: levels of headings, list items, names of table rows. */
const outline = (text: string) =>
	withoutCode(text)
		.match(/^(#+ |- |\| `[\w/. -]+`)/gm)
		?.map((mark) => mark.trim());

/** The anchors that GitHub gives to the headings of a page. */
const anchorsOf = (text: string) =>
	[...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, "")
			.replaceAll(" ", "-"),
	);

function isBroken(page: string, link: string): boolean {
	const [file = "", anchor] = link.split("#");
	const target = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
	return !existsSync(path.join(root, target)) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
}

describe("README.zh-CN.md", () => {
	const [english, chinese] = [read("README.md"), read("README.zh-CN.md")];

	it("shows the code of README.md, letter by letter", () => {
		expect(codeBlocks(chinese)).toEqual(codeBlocks(english));
	});

	it("has the sections, lists and table rows of README.md", () => {
		expect(outline(chinese)).toEqual(outline(english));
	});

	it("is linked at the top of README.md, and links back", () => {
		expect(english.split("\n")[2]).toBe("English | [简体中文](README.zh-CN.md)");
		expect(chinese.split("\n")[2]).toBe("[English](README.md) | 简体中文");
	});
});

it.each(globSync("{*,docs/*}.md", { cwd: root }))("%s links to nothing that is not there", (page) => {
	const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
	expect(links.filter((link) => !/^https?:/.test(link) && isBroken(page, link))).toEqual([]);
});
