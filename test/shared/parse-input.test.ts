import { expect, it } from "vitest";
import * as z from "zod";
import { AppError } from "../../src/shared/errors";
import { inField, parseInput } from "../../src/shared/parse-input";

const schema = z.strictObject({
	name: z.string(),
	size: z.number().max(9).optional(),
	inner: z.strictObject({ list: z.array(z.string()) }).optional(),
});

function refusalOf(act: () => unknown): AppError | undefined {
	try {
		act();
	} catch (error) {
		if (error instanceof AppError) return error;
		throw error;
	}
	return undefined;
}

it.each([
	["a field that is missing", {}, "name: It is missing; expected string."],
	["a field that does not exist", { name: "a", nmae: "a" }, "nmae: There is no such field."],
	["one inside another", { name: "a", inner: { list: [], lists: 1 } }, "inner.lists: There is no such field."],
	["one of a list", { name: "a", inner: { list: ["a", 7] } }, "inner.list[1]: Invalid input: expected string"],
	["a value out of range", { name: "a", size: 10 }, "size: Too big"],
	["no object at all", [], "Invalid input: expected object"],
])("names %s", (_, value, message) => {
	const refusal = refusalOf(() => parseInput(schema, value));
	expect(refusal?.code).toBe("invalid_input");
	expect(refusal?.message).toContain(message);
});

it("lists the problems by field, and says no value", () => {
	const refusal = refusalOf(() => parseInput(schema, { size: "canary", b: "canary" }));
	expect(refusal?.details).toMatchObject({ problems: [{ field: "name" }, { field: "size" }, { field: "b" }] });
	expect(JSON.stringify([refusal?.message, refusal?.details])).not.toContain("canary");
});

it("shows five problems and counts the rest", () => {
	const many = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`x${at}`, 1]));
	expect(refusalOf(() => parseInput(schema, { name: "a", ...many }))?.message).toMatch(/x4: .*; and 3 more$/);
});

it("puts a field's name before what is said against it, and lets other errors pass", () => {
	const refuse = (code: "invalid_input" | "conflict") => () => {
		throw new AppError(code, "No.");
	};
	expect(refusalOf(() => inField("value", refuse("invalid_input")))).toMatchObject({
		message: "value: No.",
		details: { problems: [{ field: "value", message: "No." }] },
	});
	expect(refusalOf(() => inField("value", refuse("conflict")))?.message).toBe("No.");
	expect(inField("value", () => 7)).toBe(7);
});
