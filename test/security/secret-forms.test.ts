import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/lib/redact";

const value = 'CANARY/+="é\\x\n1234567890';
const { redactKnown } = createRedactor([{ name: "KEY", value }]);

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const phpJson = (text: string) => json(text).replaceAll("/", "\\/");
const asciiJson = (text: string) => json(text).replaceAll("é", "\\u00e9");
const url = encodeURIComponent;
const form = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a secret that was written", () => {
	const ways: readonly { as: string; by: readonly ((text: string) => string)[] }[] = [
		{ as: "JSON three times over, as an audit row of a call with a document", by: [json, json, json] },
		{ as: "JSON four times over", by: [json, json, json, json] },
		{ as: "ASCII JSON three times over", by: [asciiJson, asciiJson, asciiJson] },
		{ as: "JSON with escaped slashes twice over", by: [phpJson, phpJson] },
		{ as: "JSON inside a URL", by: [json, url] },
		{ as: "JSON in JSON inside a form", by: [json, json, form] },
		{ as: "a URL inside a URL", by: [url, url] },
		{ as: "a form inside a URL", by: [form, url] },
		{ as: "JSON in base64", by: [json, base64] },
		{ as: "JSON in base64, inside longer text", by: [json, (text) => `"${text}"`, base64] },
	];

	it.each(ways)("as $as is found", ({ by }) => {
		const written = by.reduce((text, write) => write(text), value);
		const shown = redactKnown(`before ${written} after`);
		expect(shown).toContain("[secret:KEY]");
		expect(shown).not.toMatch(/CANARY|1234567890/);
	});

	it("into the query of a URL, as a parser reads it, is found", () => {
		const oneLine = createRedactor([{ name: "KEY", value: 'CANARY/+="é>1234567890' }]);
		expect(oneLine.redactKnown(new URL('https://h/?CANARY/+="é>1234567890').href)).toBe("https://h/?[secret:KEY]");
	});

	it("with blanks around it is found without them, since that is how it is sent", () => {
		const pasted = createRedactor([{ name: "KEY", value: "  sk-canary-1234567890\n" }]);
		expect(pasted.redactKnown("Incorrect API key: sk-canary-1234567890.")).toBe("Incorrect API key: [secret:KEY].");
	});
});

it("goes by the longest of the values that begin at a place, as a plain search through all of them does", () => {
	const secret = fc.stringMatching(/^[ab]{4,8}$/);
	fc.assert(
		fc.property(
			fc.array(secret, { minLength: 1, maxLength: 12 }),
			fc.stringMatching(/^[ab]{0,40}$/),
			(values, text) => {
				const secrets = values.map((value) => ({ name: value, value }));
				expect(createRedactor(secrets).redactKnown(text)).toBe(plainly(values, text));
			},
		),
	);
});

function plainly(values: readonly string[], text: string): string {
	const longestFirst = values.toSorted((a, b) => b.length - a.length);
	let shown = "";
	for (let at = 0; at < text.length; ) {
		const found = longestFirst.find((value) => text.startsWith(value, at));
		shown += found ? `[secret:${found}]` : text[at];
		at += found?.length ?? 1;
	}
	return shown;
}
