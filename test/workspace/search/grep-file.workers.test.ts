import { expect, it } from "vitest";
import { Findings } from "../../../src/workspace/search/findings";
import { grepFile } from "../../../src/workspace/search/grep-file";
import { compileLinePattern } from "../../../src/workspace/search/line-pattern";

function grep(pieces: Uint8Array[], options: Parameters<typeof compileLinePattern>[0]) {
	const found = new Findings(200);
	const pattern = compileLinePattern(options);
	for (const _ of grepFile(pieces, { path: "/a", pattern, contextLines: 1, found }));
	return found.outcome();
}
const bytes = (text: string) => new TextEncoder().encode(text);

it("finds in workerd what it finds in Node, over the borders of the pieces", () => {
	const { lines } = grep([bytes("one\nTw"), bytes("o é\nthree\n")], { pattern: "two é", ignoreCase: true });
	expect(lines.map(({ line, text, isMatch }) => [line, text, isMatch])).toEqual([
		[1, "one", false],
		[2, "Two é", true],
		[3, "three", false],
	]);
});

it("tells a replacement character from bytes that are no UTF-8", () => {
	expect(grep([bytes("x \ufffd\n")], { pattern: "x" }).lines).toHaveLength(1);
	expect(grep([new Uint8Array([0x78, 0xe9, 0x0a])], { pattern: "x" })).toMatchObject({ lines: [], binaryFiles: 1 });
});
