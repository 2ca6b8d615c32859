import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../../src/app";

interface Call {
	readonly method?: string;
	/** Sent as JSON; a string is sent as it is. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	/** The admin's when left out; null sends none. */
	readonly token?: string | null;
	readonly env?: Readonly<Partial<typeof env>>;
}

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** The body as JSON; undefined when it is none. */
	readonly json: unknown;
}

/** Calls the app as a client would, with the bindings of the test. */
export async function call(path: string, { method, body, headers = {}, token, env: over }: Call = {}): Promise<Answer> {
	const bearer = token === undefined ? env.ORYX_ADMIN_TOKEN : token;
	const isText = typeof body === "string";
	const response = await app.request(
		path,
		{
			method: method ?? (body === undefined ? "GET" : "POST"),
			headers: {
				...(bearer && { authorization: `Bearer ${bearer}` }),
				...(body !== undefined && { "content-type": isText ? "text/markdown" : "application/json" }),
				...headers,
			},
			...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
		},
		{ ...env, ...over },
		createExecutionContext(),
	);
	// By way of bytes: workerd warns of `text()` on a type it does not know for text.
	const text = new TextDecoder().decode(await response.arrayBuffer());
	return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
