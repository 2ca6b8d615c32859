import { metaOf, type RequestMessage } from "./message";

/** Asks a server which revisions it speaks; older servers answer with an error, with nothing, or by ending. */
export const probeMethod = "server/discover";

const versionKey = "io.modelcontextprotocol/protocolVersion";
/** Where the name stands that `Mcp-Name` repeats. */
const nameOf: ReadonlyMap<string, string> = new Map([
	["tools/call", "name"],
	["prompts/get", "name"],
	["resources/read", "uri"],
]);

/** The revision that a request names, where each request stands alone. */
export function modernVersionOf(message: { readonly params: RequestMessage["params"] }): string | undefined {
	const version = metaOf(message)[versionKey];
	return typeof version === "string" ? version : undefined;
}

/** The header that says something else than the body, or is missing; whoever routes by headers must not be misled. */
export function misfitHeader(
	request: RequestMessage,
	header: (name: string) => string | undefined,
): string | undefined {
	if (header("mcp-protocol-version") !== modernVersionOf(request)) return "MCP-Protocol-Version";
	if (header("mcp-method") !== request.method) return "Mcp-Method";
	const member = nameOf.get(request.method);
	const isRight = member === undefined || plainText(header("mcp-name")) === request.params[member];
	return isRight ? undefined : "Mcp-Name";
}

/** Text that a header cannot carry comes in base64, between marks. */
function plainText(value: string | undefined): string | undefined {
	const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? "")?.[1];
	return encoded === undefined ? value : Buffer.from(encoded, "base64").toString();
}
