import { expect, it } from "vitest";
import { toMarkdown } from "../../src/tools/html/to-markdown";

const read = (html: string) => toMarkdown(html, { baseUrl: "https://example.com/", maxChars: 10_000 });

it.each([
	["text", "<".repeat(1_000_000)],
	["a script", `<script>${"<".repeat(1_000_000)}</script><p>end`],
	["hidden elements", `<div hidden>${"<i>".repeat(300_000)}</div><p>end`],
	["elements without a shape", `<p>${"<span>".repeat(300_000)}</p><p>end`],
])("stops reading a page that is made of nothing but work: %s", async (_, html) => {
	const { notes, markdown } = await read(`<h1>Top</h1>${html}`);
	expect(markdown).toContain("# Top");
	expect(markdown).not.toContain("end");
	expect(notes).toContainEqual(expect.stringMatching(/too long|too deeply/));
});

it("reads a page of ten thousand links and paragraphs to its end", async () => {
	const { markdown } = await toMarkdown(`${'<p>see <a href="/a">this</a></p>'.repeat(10_000)}<p>end`, {
		baseUrl: "https://example.com/",
		maxChars: 900_000,
	});
	expect(markdown).toMatch(/end$/);
});
