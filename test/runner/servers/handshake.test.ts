import { describe, expect, it } from "vitest";
import { Handshake } from "../../../runner/src/servers/handshake";
import { type RequestMessage, readMessage } from "../../../runner/src/servers/message";
import type { Sink } from "../../../runner/src/servers/sink";

/** Clients that want to begin a session, and what became of each. */
function open() {
	const handshake = new Handshake();
	const asked: Sink[] = [];
	const said: string[] = [];
	const join = (name: string) => {
		const request = readMessage(`{"jsonrpc":"2.0","id":"${name}","method":"initialize"}`) as RequestMessage;
		const sink: Sink = {
			send: () => true,
			finish: (text) => said.push(`${name}: ${text}`),
			close: () => said.push(`${name} closed`),
			onGone: () => {},
		};
		handshake.join({ request, sink, begin: () => said.push(`${name} began`) }, (own) => asked.push(own));
	};
	return { handshake, asked, said, join };
}

const good = '{"jsonrpc":"2.0","id":"a","result":{"n":1.0}}';
const bad = '{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"no"}}';

describe("the initialisation of a server with many clients", () => {
	it("is asked once, and all get the answer, those who waited and those who come later", () => {
		const { asked, said, join } = open();
		for (const name of ["a", "b"]) join(name);
		expect([asked.length, said.length]).toEqual([1, 0]);
		asked[0]?.finish(good);
		join("c");
		const shared = (name: string) => `${name}: {"jsonrpc":"2.0","id":"${name}","result":{"n":1.0}}`;
		expect(said).toEqual(["a began", `a: ${good}`, "b began", shared("b"), "c began", shared("c")]);
		expect(asked.length).toBe(1);
	});

	it("is asked again with the next client's own words when the server refused the first", () => {
		const { handshake, asked, said, join } = open();
		for (const name of ["a", "b", "c"]) join(name);
		asked[0]?.finish(bad);
		expect([said, asked.length, handshake.isBegun]).toEqual([[`a: ${bad}`], 2, true]);
		asked[1]?.finish(bad);
		asked[2]?.finish(bad);
		expect([said.length, handshake.isBegun]).toEqual([3, false]);
	});

	it("is confirmed by the first client only", () => {
		const { handshake } = open();
		expect([handshake.takeInitialized(), handshake.takeInitialized()]).toEqual([true, false]);
	});
});
