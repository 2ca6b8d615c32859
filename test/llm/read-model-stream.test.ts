import { expect, it } from "vitest";
import { readModelStream } from "../../src/llm/read-model-stream";
import { delta, end, sse } from "../fixtures/llm/stream-text";
import { collect } from "./play";

it("yields one array of events for each network read that meant something", async () => {
	const reads = [`: wait\n\n`, sse(delta({ content: "O" }), delta({ content: "ne" })).slice(0, -14), sse(end("stop"))];
	const body = new ReadableStream<Uint8Array>({
		start(controller) {
			for (const read of reads) controller.enqueue(new TextEncoder().encode(read));
			controller.close();
		},
	});
	const batches = await collect(readModelStream("openai-chat", body, { vendor: "openai", newId: () => "call-1" }));
	expect(batches).toEqual([
		[
			{ type: "text-delta", text: "O" },
			{ type: "text-delta", text: "ne" },
		],
		[{ type: "finish", reply: expect.objectContaining({ content: "One", finishReason: "stop" }) }],
	]);
});
