import { describe, expect, it } from "vitest";
import { type RequestMessage, readMessage } from "../../../runner/src/servers/message";
import { misfitHeader, modernVersionOf } from "../../../runner/src/servers/modern-request";

const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
const request = (method: string, params: object) =>
	readMessage(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } })) as RequestMessage;
const call = request("tools/call", { name: "wetter_für" });
const right = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "wetter_für" };

describe("the headers of a request that stands alone", () => {
	it("repeat what the body says", () => {
		expect(modernVersionOf(call)).toBe("2026-07-28");
		expect(misfitHeader(call, (name) => right[name as keyof typeof right])).toBeUndefined();
	});

	it("may say the name in base64", () => {
		const encoded = `=?base64?${Buffer.from("wetter_für").toString("base64")}?=`;
		const header = (name: string) => ({ ...right, "mcp-name": encoded })[name];
		expect(misfitHeader(call, header)).toBeUndefined();
	});

	it.each([
		["MCP-Protocol-Version", { ...right, "mcp-protocol-version": "2025-11-25" }],
		["Mcp-Method", { ...right, "mcp-method": "tools/list" }],
		["Mcp-Name", { ...right, "mcp-name": "other" }],
		["Mcp-Name", { ...right, "mcp-name": undefined }],
		["MCP-Protocol-Version", {}],
	])("do not fit: %s", (misfit, headers) => {
		expect(misfitHeader(call, (name) => headers[name as keyof typeof headers])).toBe(misfit);
	});

	it("need no name where the body has none", () => {
		const header = (name: string) => ({ ...right, "mcp-method": "tools/list", "mcp-name": undefined })[name];
		expect(misfitHeader(request("tools/list", {}), header)).toBeUndefined();
	});
});
