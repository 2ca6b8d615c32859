import { describe, expect, it } from "vitest";
import { HttpReply } from "../../../runner/src/servers/http-reply";
import { messagesOf } from "./hosting";

function open({ acceptsStream = true, streamAfterMs = 10_000 } = {}) {
	const connection = new AbortController();
	const reply = new HttpReply({ acceptsStream, streamAfterMs, signal: connection.signal });
	const gone: string[] = [];
	reply.onGone(() => gone.push("gone"));
	return { reply, connection, gone };
}

describe("an HTTP answer", () => {
	it("is plain JSON when there is nothing else to say", async () => {
		const { reply } = open();
		reply.finish("1", 404);
		const response = await reply.response;
		expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
			404,
			"application/json",
			"1",
		]);
	});

	it("is a stream once something comes before the answer", async () => {
		const { reply } = open();
		expect(reply.send("1")).toBe(true);
		reply.finish('{\r\n"a":\r2}');
		expect(reply.send("3")).toBe(false);
		expect(await messagesOf(await reply.response)).toEqual([1, { a: 2 }]);
	});

	it("tells nothing before the answer to a client that reads no streams", async () => {
		const { reply } = open({ acceptsStream: false, streamAfterMs: 0 });
		expect(reply.send("1")).toBe(false);
		reply.finish("2");
		expect(await (await reply.response).text()).toBe("2");
	});

	it("is an empty stream when nobody wants the answer any more", async () => {
		const { reply, gone } = open();
		reply.close();
		reply.finish("1");
		expect(await (await reply.response).text()).toBe("");
		expect(gone).toEqual([]);
	});

	it.each(["before", "after"])("says once when its client goes %s the first word", async (when) => {
		const { reply, connection, gone } = open();
		if (when === "after") reply.send("1");
		connection.abort();
		connection.abort();
		reply.finish("2");
		expect([gone, reply.isOver]).toEqual([["gone"], true]);
		await reply.response;
	});

	it("says when the reader of its stream leaves", async () => {
		const { reply, gone } = open();
		reply.send("1");
		await (await reply.response).body?.cancel();
		expect(gone).toEqual(["gone"]);
	});

	it("cuts off a reader that is too slow, so that what waits for it does not fill the memory", async () => {
		const { reply, gone } = open();
		const piece = JSON.stringify("x".repeat(16_000_000));
		const sent = [1, 2, 3, 4, 5, 6].map(() => reply.send(piece));
		expect(sent).toEqual([true, true, true, true, false, false]);
		expect(gone).toEqual(["gone"]);
		await expect((await reply.response).text()).rejects.toThrow(/too slow/);
	});
});
