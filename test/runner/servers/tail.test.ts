import { describe, expect, it } from "vitest";
import { Tail } from "../../../runner/src/servers/tail";
import { knownValues } from "../../../src/lib/redact-known";

const secrets = knownValues([{ name: "KEY", value: "s3cret" }]);

describe("the end of an error output", () => {
	it("is what came last, with a count of the rest", () => {
		const tail = new Tail(5, knownValues([]));
		for (const piece of ["abc", "def", "gh"]) tail.push(Buffer.from(piece));
		expect(tail.read()).toEqual({ text: "defgh", droppedCharacters: 3 });
	});

	it("has no secret in it, wherever the pieces are cut", () => {
		const text = "key=s3cret, again s3cret; s3cre";
		for (let cut = 0; cut <= text.length; cut++) {
			const tail = new Tail(1_000, secrets);
			tail.push(Buffer.from(text.slice(0, cut)));
			expect(tail.read().text).not.toContain("s3cret");
			tail.push(Buffer.from(text.slice(cut)));
			expect(tail.read().text).toBe("key=[secret:KEY], again [secret:KEY]; s3cre");
		}
	});

	it("keeps a character whole that comes in two pieces", () => {
		const tail = new Tail(10, secrets);
		for (const byte of Buffer.from("é€")) tail.push(Buffer.of(byte));
		expect(tail.read().text).toBe("é€");
	});
});
