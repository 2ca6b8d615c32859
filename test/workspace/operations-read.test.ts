import * as fc from "fast-check";
import { expect, it } from "vitest";
import { fileRules } from "../../src/gates/file";
import { settingsDocument } from "../../src/shared/settings";
import { readText } from "../../src/workspace/operations/read-text";
import { openFiles } from "../support/node/open-files";

const settings = settingsDocument.parse({});
const rules = fileRules({ whitelist: { FILE: [], SHELL: [], HTTP: [] }, settings });

/** Reads a file as a model would: on from where the last reading says. */
function readOn(text: string): { text: string; readings: number } {
	const files = openFiles();
	files.write("/workspace/f", new TextEncoder().encode(text));
	let all = "";
	let at: { offset?: number; byteOffset?: number } = {};
	for (let readings = 1; ; readings++) {
		const part = readText.run(files, { path: "f", ...at }, rules);
		expect(part.bytes.end - part.bytes.start).toBe(new TextEncoder().encode(part.text).length);
		expect(part.bytes.end - part.bytes.start).toBeLessThanOrEqual(32_768);
		all += part.text;
		if (part.bytes.end === part.size) return { text: all, readings };
		at = part.lines && !part.cutLine ? { offset: part.lines.last + 1 } : { byteOffset: part.bytes.end };
	}
}

it("gives a whole file when it is read on to its end", () => {
	const piece = fc.tuple(fc.constantFrom("a", "é", "€", "😀", "\n", "ab\r\n"), fc.integer({ min: 1, max: 20_000 }));
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
			const text = pieces.map(([unit, count]) => unit.repeat(count)).join("");
			expect(readOn(text).text).toBe(text);
		}),
		{ numRuns: 50 },
	);
});

it("needs no more readings than the size asks for", () => {
	expect(readOn("x".repeat(79).concat("\n").repeat(4_096)).readings).toBe(11);
});

it("reads a piece in the middle of a large file without what lies around it", () => {
	const files = openFiles();
	files.write("/workspace/f", new TextEncoder().encode("x".repeat(900_000)));
	let bytes = 0;
	const counted = {
		...files,
		stat: (path: string) => files.stat(path),
		read: (path: string, range?: { offset?: number; length?: number }) => {
			const read = files.read(path, range);
			bytes += read.length;
			return read;
		},
	};
	readText.run({ ...counted }, { path: "f", byteOffset: 500_000 }, rules);
	expect(bytes).toBe(32_768);
});
