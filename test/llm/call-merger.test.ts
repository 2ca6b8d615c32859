import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callMerger, readCallDelta } from "../../src/llm/call-merger";

function merge(pieces: readonly unknown[]) {
	const merger = callMerger();
	for (const piece of pieces) {
		const delta = readCallDelta(piece);
		if (delta) merger.add(delta);
	}
	return merger.calls;
}

const piece = (index: number | undefined, id: unknown, name: unknown, given: unknown) => ({
	...(index !== undefined && { index }),
	id,
	type: "function",
	function: { name, arguments: given },
});

describe("merging the pieces of calls", () => {
	it("goes by index first, though ids are repeated", () => {
		expect(merge([piece(0, "x", "a", "{}"), piece(1, "x", "b", ""), piece(1, "x", "", "{}")])).toEqual([
			{ vendorId: "x", name: "a", arguments: "{}" },
			{ vendorId: "x", name: "b", arguments: "{}" },
		]);
	});

	it("goes by id where there is no index", () => {
		expect(
			merge([piece(undefined, "x", "a", '{"n":'), piece(undefined, "y", "b", "{}"), piece(undefined, "x", "", "1}")]),
		).toEqual([
			{ vendorId: "x", name: "a", arguments: '{"n":1}' },
			{ vendorId: "y", name: "b", arguments: "{}" },
		]);
	});

	it("finds by id a call that got its index later", () => {
		expect(merge([piece(undefined, "x", "a", '{"n":'), piece(3, "x", "", "1}")])).toEqual([
			{ vendorId: "x", name: "a", arguments: '{"n":1}' },
		]);
	});

	it("adds to the last open call where there is neither", () => {
		expect(merge([piece(0, "x", "a", "{}"), piece(1, "y", "b", '{"n"'), piece(undefined, "", "", ":1}")])).toEqual([
			{ vendorId: "x", name: "a", arguments: "{}" },
			{ vendorId: "y", name: "b", arguments: '{"n":1}' },
		]);
	});

	it("takes the name and the id once, whenever they come", () => {
		expect(merge([piece(0, "", "", ""), piece(0, "x", "a", "{"), piece(0, "z", "", "}")])).toEqual([
			{ vendorId: "x", name: "a", arguments: "{}" },
		]);
	});

	it("tells calls apart that share an index but not an id, or that are whole", () => {
		expect(merge([piece(0, "x", "a", "{}"), piece(0, "y", "a", "{}")])).toHaveLength(2);
		expect(merge([piece(0, "x", "a", ""), piece(0, "y", "b", "")])).toHaveLength(2);
		expect(merge([piece(undefined, "", "a", "{}"), piece(undefined, "", "a", "{}")])).toHaveLength(2);
	});

	it("keeps what the vendor wants back with the call", () => {
		const signed = { ...piece(0, "x", "a", "{}"), extra_content: { google: { thought_signature: "s" } }, unset: null };
		expect(merge([signed, piece(0, "x", "", "")])).toEqual([
			{ vendorId: "x", name: "a", arguments: "{}", extra: { extra_content: { google: { thought_signature: "s" } } } },
		]);
	});

	it("passes over what is no call", () => {
		expect(merge([null, "call", 7, []])).toEqual([]);
	});

	it("puts together whatever was cut and interleaved by index", () => {
		const call = fc.record({
			name: fc.stringMatching(/^[a-z]{1,8}$/),
			input: fc.dictionary(fc.string(), fc.jsonValue()),
		});
		const plan = fc.record({
			calls: fc.array(call, { minLength: 1, maxLength: 4 }),
			order: fc.infiniteStream(fc.nat(3)),
		});
		fc.assert(
			fc.property(plan, ({ calls, order }) => {
				const queues = calls.map(({ name, input }, index) => {
					const [first = "", ...rest] = JSON.stringify(input).match(/.{1,3}/gsu) ?? [];
					return [piece(index, `id-${index}`, name, first), ...rest.map((text) => piece(index, null, null, text))];
				});
				const pieces: unknown[] = queues.flatMap((queue) => queue.splice(0, 1));
				while (queues.some((queue) => queue.length > 0)) {
					const queue = queues[Number(order.next().value) % queues.length];
					const next = queue?.shift() ?? queues.find((other) => other.length > 0)?.shift();
					pieces.push(next);
				}
				expect(merge(pieces)).toEqual(
					calls.map(({ name, input }, index) => ({ vendorId: `id-${index}`, name, arguments: JSON.stringify(input) })),
				);
			}),
		);
	});
});
