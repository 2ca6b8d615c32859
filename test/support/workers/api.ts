import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../../src/app";

interface Call {
	readonly method?: string;
	/** Sent as JSON; a string, bytes and a stream are sent as they are. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	/** The admin's when left out; null sends none. */
	readonly token?: string | null;
	readonly env?: Readonly<Partial<typeof env>>;
	/** What happens between the head of the answer and its body. */
	readonly onBegun?: () => Promise<unknown>;
}

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	readonly bytes: Uint8Array;
	/** The body as JSON; undefined when it is none. */
	readonly json: unknown;
}

/** Calls the app as a client would, with the bindings of the test. */
export async function call(
	path: string,
	{ method, body, headers = {}, token, env: over, onBegun }: Call = {},
): Promise<Answer> {
	const bearer = token === undefined ? env.ORYX_ADMIN_TOKEN : token;
	const raw = typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
	const response = await app.request(
		path,
		{
			method: method ?? (body === undefined ? "GET" : "POST"),
			headers: {
				...(bearer && { authorization: `Bearer ${bearer}` }),
				...(body !== undefined && { "content-type": raw ? "text/markdown" : "application/json" }),
				...headers,
			},
			...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
		},
		{ ...env, ...over },
		createExecutionContext(),
	);
	await onBegun?.();
	// By way of bytes: workerd warns of `text()` on a type it does not know for text.
	const bytes = new Uint8Array(await response.arrayBuffer());
	const text = new TextDecoder().decode(bytes);
	return { status: response.status, headers: response.headers, text, bytes, json: jsonOf(text) };
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
