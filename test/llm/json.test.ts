import { expect, it } from "vitest";
import { wireJson } from "../../src/llm/json";

it("sends no half of a surrogate pair, also not inside a text that is JSON itself", () => {
	expect(JSON.parse(wireJson({ text: "a\ud83d b 👋" }))).toEqual({ text: "a\ufffd b 👋" });
	expect(wireJson(JSON.parse('{"text":"\\\\ud83d"}'))).toBe('{"text":"\\\\ud83d"}');
});
