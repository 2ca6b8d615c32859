import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "../../../src/tools/html/to-markdown";
import brokenHtml from "../../fixtures/html/broken.html?raw";
import brokenMarkdown from "../../fixtures/html/broken.md?raw";
import chineseHtml from "../../fixtures/html/chinese.html?raw";
import chineseMarkdown from "../../fixtures/html/chinese.md?raw";
import documentationHtml from "../../fixtures/html/documentation.html?raw";
import documentationMarkdown from "../../fixtures/html/documentation.md?raw";
import newsHtml from "../../fixtures/html/news.html?raw";
import newsMarkdown from "../../fixtures/html/news.md?raw";
import tablesHtml from "../../fixtures/html/tables.html?raw";
import tablesMarkdown from "../../fixtures/html/tables.md?raw";

const baseUrl = "https://docs.example/guide/retry.html";
const convert = (html: string, maxChars = 50_000) => toMarkdown(html, { baseUrl, maxChars });
const markdownOf = async (html: string) => (await convert(html)).markdown;

describe("a whole page", () => {
	it.each([
		["a page of documentation", documentationHtml, documentationMarkdown, "Retry policies — Courier 3.2 documentation"],
		["a news article", newsHtml, newsMarkdown, "Harbour bridge reopens after a year | The Daily Ferry"],
		["a page of tables", tablesHtml, tablesMarkdown, "Tariffs"],
		["a Chinese page", chineseHtml, chineseMarkdown, "飞书机器人接入指南 - 开放平台"],
		["broken markup", brokenHtml, brokenMarkdown, "Broken & bent"],
	])("reads %s", async (_, html, markdown, title) => {
		expect(await convert(html)).toEqual({ title, markdown: markdown.trimEnd(), notes: [], totalChars: undefined });
	});
});

describe("parts of a page", () => {
	it.each([
		[
			"decodes named, numeric and unfinished references once",
			"<p>&eacute;&#x4F60;&#22909;&copy2026 &amp;lt;",
			"é你好©2026 &lt;",
		],
		["keeps an unknown reference", "<p>&nosuchthing; &", "&nosuchthing; &"],
		["reads references in attributes", '<a href="/a?b=1&amp;c=2">x</a>', "[x](https://docs.example/a?b=1&c=2)"],
		[
			"drops links that run or carry something",
			'<a href="javascript:alert(1)">a</a> <a href="data:text/html,x">b</a> <a href="vbscript:x">c</a> <a href="file:///etc/passwd">d</a>',
			"a b c d",
		],
		["drops a link's credentials", '<a href="https://me:secret@docs.example/x">x</a>', "[x](https://docs.example/x)"],
		[
			"gives a card's link to its first text",
			'<a href="/c"><h3>Card</h3><p>About it.</p></a>',
			"### [Card](https://docs.example/c)\n\nAbout it.",
		],
		["puts blanks outside of marks", "<p>a<b> b </b>c<i></i>", "a **b** c"],
		["opens no mark twice", "<p><b>a <strong>b</strong></b>", "**a b**"],
		["fences inline code that holds a backtick", "<p><code>a `b` c</code> <code>`</code>", "``a `b` c`` `` ` ``"],
		["keeps the blanks and breaks of code", "<pre>a\n  b<br>c\n\n\nd  </pre>", "```\na\n  b\nc\n\n\nd\n```"],
		["numbers a reversed list downwards", "<ol reversed><li>a<li>b</ol>", "2. a\n1. b"],
		["follows the numbers that items say", '<ol><li>a<li value="7">b<li>c</ol>', "1. a\n7. b\n8. c"],
		[
			"takes a list put straight into a list to the item before",
			"<ul><li>a<ul><li>b</ul><ul><li>c</ul></ul>",
			"- a\n  - b\n  - c",
		],
		["writes the sign of an item once", "<ul><li>• a<li>- b</ul>", "- a\n- b"],
		[
			"shows a check box in a list and not one that opens a menu",
			"<input type=checkbox><ul><li><input type=checkbox checked>a<input value=b></ul>",
			"- [x] a",
		],
		[
			"quotes every line of what is quoted",
			"<blockquote><p>a<ul><li>b</ul><blockquote>c</blockquote></blockquote>",
			"> a\n>\n> - b\n>\n> > c",
		],
		["parts lines where the page breaks them", "<p>a<br>b<br><br><br>c", "a\nb\n\nc"],
		[
			"escapes a bar in a cell",
			"<table><tr><th>a<th>b<tr><td>1|2<td>3</table>",
			"| a | b |\n| --- | --- |\n| 1\\|2 | 3 |",
		],
		[
			"keeps the alternative text of an image without an address",
			'<img alt="A cat" src="data:image/png;base64,AA">',
			"A cat",
		],
		["joins a line broken in Chinese text and parts one in English", "<p>你\n  好 and\n more", "你好 and more"],
		[
			"drops what only machines see",
			"a<script>b</script><style>c</style><template>d</template><svg><text>e</text></svg><p hidden>f</p><p style='DISPLAY : NONE'>g</p><noscript>h</noscript>",
			"a",
		],
		[
			"keeps collapsed parts",
			'<div hidden="until-found">a</div><details><summary>b</summary>c</details>',
			"a\n\nb\n\nc",
		],
		["drops invisible characters and direction marks", "<p>a\u200bb\u202ec\u{e0041}d\u00ade\u0007", "abcde"],
		[
			"reads what is only navigation",
			"<nav><ul><li><a href='/a'>A</a><li><a href='/b'>B</a></ul></nav>",
			"- [A](https://docs.example/a)\n- [B](https://docs.example/b)",
		],
		["answers nothing for nothing", "", ""],
	])("%s", async (_, html, markdown) => {
		expect(await markdownOf(html)).toBe(markdown);
	});

	it("takes the page's own base for its links", async () => {
		expect(await markdownOf('<base href="/other/"><a href="x">x</a>')).toBe("[x](https://docs.example/other/x)");
	});

	it("takes an element named like a member of every object for what it is", async () => {
		expect(await markdownOf("<constructor>a</constructor><p><constructor>b</constructor><div><constructor><p>c")).toBe(
			"a\n\nb\n\nc",
		);
	});

	it("answers for any soup of tags, with the text that is shown", async () => {
		const tags =
			"p div ul ol li table tr td th a b i code pre h1 h2 blockquote br img hr dl dt dd span section svg script title constructor input".split(
				" ",
			);
		const tag = fc
			.constantFrom(...tags)
			.chain((name) =>
				fc.constantFrom(
					`<${name}>`,
					`</${name}>`,
					`<${name} href=/x src=y hidden`,
					`<${name} href='/z' class="language-js" colspan=3 start=2>`,
				),
			);
		const piece = fc.oneof(
			{ weight: 3, arbitrary: tag },
			fc.string(),
			fc.constantFrom("text", " ", "\n", "&amp;", "&lt", "`", "|"),
		);
		const soup = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
		await fc.assert(
			fc.asyncProperty(soup, async (html) => {
				const { markdown } = await convert(`<p>first</p>${html}`);
				expect(markdown).toMatch(/^first/);
				expect(markdown).not.toMatch(/undefined|\[object|native code/);
			}),
			{ numRuns: 300 },
		);
	});

	it("tells of a page that scripts draw", async () => {
		const page = await convert("<div id=root></div><script src=app.js></script>");
		expect(page.markdown).toBe("");
		expect(page.notes).toEqual(["The page has little text of its own; it may be drawn by scripts, which are not run."]);
	});

	it("prefers the article that outweighs the others, and all of a page of equals", async () => {
		const long = "Long enough to be what the page is about. ".repeat(10).trim();
		const story = `<h2>Latest</h2><article><p>${long}</p></article><article>Teaser</article>`;
		expect(await markdownOf(story)).toBe(long);
		const equals = `<h2>Latest</h2>${`<article><p>${long}</p></article>`.repeat(3)}`;
		expect(await markdownOf(equals)).toBe(["## Latest", long, long, long].join("\n\n"));
	});
});

describe("limits", () => {
	it("cuts at the end of a line and says how long the whole is", async () => {
		const page = await convert("<p>0123456789</p>".repeat(50), 300);
		expect(page.totalChars).toBe(598);
		expect(page.markdown.length).toBeLessThanOrEqual(300);
		expect(page.markdown.endsWith("0123456789")).toBe(true);
	});

	it("ends 50,000 nested elements soon, with what stood before them", async () => {
		const started = Date.now();
		const page = await convert(`<p>Before.</p>${"<div>".repeat(50_000)}deep${"</div>".repeat(50_000)}`);
		expect(page.markdown).toBe("Before.");
		expect(page.notes).toEqual(["The page's elements are nested too deeply to be read to its end."]);
		expect(Date.now() - started).toBeLessThan(10_000);
	});

	it.each(["div", "ul><li", "blockquote", "b", "table><tr><td", "a href=/x", "ol><li><blockquote", "section"])(
		"keeps the text inside 3,000 nested <%s>",
		async (tags) => {
			const page = await convert(`${`<${tags}>`.repeat(3_000)}deep`);
			expect(page.markdown).toContain("deep");
			expect(page.markdown.length).toBeLessThan(10_000);
			expect(page.notes).toEqual([]);
		},
	);

	it("stops at markup that cannot be read on, with what stood before", async () => {
		const page = await convert("<p>Before.</p><select><xmp><script>x</script></select><p>After.</p>");
		expect(page.markdown).toBe("Before.");
		expect(page.notes).toEqual(["The page's markup is broken in a way that cannot be read past."]);
	});

	it("stops at a page of too many parts", async () => {
		const page = await convert(`<p>Before.</p>${"<i>x</i>".repeat(60_000)}`);
		expect(page.markdown).toMatch(/^Before\./);
		expect(page.notes).toEqual(["The page is too long to be read to its end."]);
	});

	it("reads about three times the text that is asked for, so that a menu before the main part is no loss", async () => {
		const main = `<main>${"<p>0123456789</p>".repeat(40)}</main>`;
		const behindMenu = await convert(`${"<a href=/x>menu</a> ".repeat(100)}${main}`, 300);
		expect(behindMenu.markdown).toMatch(/^0123456789/);
		const long = await convert(`<main>${"<p>0123456789</p>".repeat(10_000)}</main>`, 300);
		expect(long.notes).toEqual(["The page is too long to be read to its end."]);
		expect(long.markdown).toMatch(/^0123456789/);
	});

	it("does not let a long base blow up short links", async () => {
		const base = `https://docs.example/${"a".repeat(1_900)}/`;
		const page = await toMarkdown(`<base href="${base}">${"<a href=x>y</a> ".repeat(5_000)}`, {
			baseUrl,
			maxChars: 10_000_000,
		});
		expect(page.markdown.length).toBeLessThan(400_000);
	});

	it.each([
		["blanks", `<p>x${" ".repeat(500_000)}y`],
		["line breaks after Chinese", `<p>你${"\n".repeat(300_000)}x`],
		["open tags in text", `<p>${"&lt;a ".repeat(100_000)}`],
		["one long attribute", `<p style="${"; ".repeat(400_000)}" class="${"hljs ".repeat(100_000)}">x</p>`],
		["blanks in pieces", `<a href=/x>x${"<i> </i>".repeat(20_000)}y</a>`],
		["breaks in bold", `<b>${"<br>".repeat(40_000)}x</b>`],
		["backticks", `<code>${"` ".repeat(200_000)}</code>`],
		["cells", `<table>${"<tr><td colspan=9999 rowspan=9999>x".repeat(2_000)}</table>`],
	])("stays fast on %s", async (_, html) => {
		const started = Date.now();
		await convert(html);
		expect(Date.now() - started).toBeLessThan(10_000);
	});
});
