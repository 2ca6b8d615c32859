import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Lines } from "../../../runner/src/servers/lines";

const linesOf = (lines: Lines, ...pieces: string[]) => pieces.flatMap((piece) => lines.push(Buffer.from(piece)));

describe("parting output into lines", () => {
	it("joins what comes in pieces, and takes off the line end of other systems", () => {
		expect(linesOf(new Lines(100), "a\nb", "", "c\r\n", "\nd")).toEqual([{ text: "a" }, { text: "bc" }, { text: "" }]);
	});

	it("answers the same lines however the bytes are cut", () => {
		fc.assert(
			fc.property(fc.array(fc.string({ unit: "binary" })), fc.array(fc.nat(7)), (texts, cuts) => {
				const wanted = texts.map((text) => text.replace(/[\r\n]/g, "").toWellFormed());
				const bytes = Buffer.from(wanted.map((text) => `${text}\n`).join(""));
				const lines = new Lines(1_000_000);
				const found = [];
				let at = 0;
				for (const cut of [...cuts, bytes.length]) {
					found.push(...lines.push(bytes.subarray(at, at + cut)));
					at += cut;
				}
				expect(found).toEqual(wanted.map((text) => ({ text })));
			}),
		);
	});

	it.each([
		['{"jsonrpc":"2.0","id":7,"result":{"a":["x}"]}}', '{"jsonrpc":"2.0","id":7,"result":null}'],
		['{"result":{"id":1,"t":"\\"{"},"jsonrpc":"2.0","id":"s"}', '{"result":null,"jsonrpc":"2.0","id":"s"}'],
		['{"result":[[],{}],"id":7}{"id":8}', '{"result":null,"id":7}{"id":8}'],
		["no JSON at all, and long", ""],
	])("keeps the outline of %s when it is too long", (text, outline) => {
		for (const size of [1, 5, 1_000]) {
			const pieces = `${text}\nnext\n`.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
			expect(linesOf(new Lines(10), ...pieces)).toEqual([{ outline }, { text: "next" }]);
		}
	});

	it("keeps an outline short, whatever stands in it", () => {
		const [line] = linesOf(new Lines(10), `{"a":"${"x".repeat(50_000)}"${',"b":{}'.repeat(50_000)}}\n`);
		expect(line && "outline" in line && line.outline.length).toBeLessThan(4_200);
	});

	it("holds a line that does not end no further than its limit", () => {
		const lines = new Lines(10);
		linesOf(lines, "x".repeat(1_000));
		expect(lines.openBytes).toBe(1_000);
	});
});
