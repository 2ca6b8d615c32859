import { describe, expect, it } from "vitest";
import { onOneLine, readMessage } from "../../../runner/src/servers/message";

describe("reading a JSON-RPC message", () => {
	it.each([
		['{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}', { kind: "request", id: '"a"', method: "m" }],
		['{"jsonrpc":"2.0","id":1.0,"method":"m"}', { kind: "request", id: "1", params: {} }],
		['{"jsonrpc":"2.0","method":"m","params":[1]}', { kind: "notification", method: "m", params: {} }],
		['{"jsonrpc":"2.0","id":1,"result":{}}', { kind: "response", id: "1", errorCode: undefined }],
		['{"jsonrpc":"2.0","id":1,"error":{"code":-3}}', { kind: "response", id: "1", errorCode: -3 }],
		['{"jsonrpc":"2.0","id":null,"error":{}}', { kind: "response", id: undefined, errorCode: 0 }],
	])("knows %s", (text, expected) => {
		expect(readMessage(text)).toMatchObject({ ...expected, text });
	});

	it.each([
		"",
		"Server started",
		"[]",
		"null",
		'"2.0"',
		'{"level":"info"}',
		'{"jsonrpc":"1.0","id":1,"method":"m"}',
		'{"jsonrpc":"2.0","id":null,"method":"m"}',
		'{"jsonrpc":"2.0","id":{},"method":"m"}',
		'{"jsonrpc":"2.0","id":1}',
		'{"jsonrpc":"2.0","result":{}}',
		'[{"jsonrpc":"2.0","id":1,"method":"m"}]',
		'{"jsonrpc":"2.0","id":1,"method":"m"',
	])("takes %j for none", (text) => {
		expect(readMessage(text)).toBeUndefined();
	});

	it("puts JSON of several lines on one", () => {
		expect(onOneLine('{\r\n\t"a": "\\n"\n}')).toBe('{ \t"a": "\\n" }');
	});
});
