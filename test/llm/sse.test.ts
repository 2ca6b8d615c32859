import fc from "fast-check";
import { expect, it } from "vitest";
import { type SseEvent, sseReader } from "../../src/llm/sse";

function read(pieces: readonly string[]): SseEvent[] {
	const events: SseEvent[] = [];
	const reader = sseReader(({ event, data }) => events.push(event === undefined ? { data } : { event, data }));
	for (const piece of pieces) reader.push(piece);
	reader.end();
	return events;
}

const stream =
	" \r\n: hello\r\nevent: first\r\ndata: one\r\n\r\ndata: two\ndata: lines\n\nid: 7\ndata:three\rretry: 10\r\rdata: last";
const events = [{ event: "first", data: "one" }, { data: "two\nlines" }, { data: "three" }, { data: "last" }];

it("reads names, comments, all line ends, data of several lines, and an event without its blank line", () => {
	expect(read([stream])).toEqual(events);
});

it("reads the same however the text is cut", () => {
	fc.assert(
		fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
			const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
			const pieces = places.slice(1).map((place, index) => stream.slice(places[index], place));
			expect(read(pieces)).toEqual(events);
		}),
	);
});

it("reads nothing from nothing", () => {
	expect(read([])).toEqual([]);
	expect(read(["", " \n "])).toEqual([]);
});
