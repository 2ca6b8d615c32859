import { readCapped } from "../lib/read-capped";
import { createRedactor, type KnownSecret } from "../lib/redact";
import { readAnswer } from "./answer";
import { wireJson } from "./json";
import { ModelError, type ModelEvent } from "./provider";
import type { Translator } from "./translator";
import { vendorError } from "./vendor-error";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What the dialects that speak HTTP are made with. */
export interface HttpConfig {
	/** The vendor's name: in messages, and on reasoning that only it can read. */
	readonly vendor: string;
	readonly baseUrl: string;
	/** The key, and the name of the variable or secret that holds it; absent where none is needed. */
	readonly key?: KnownSecret | undefined;
	readonly fetch: Fetch;
	readonly newId: () => string;
}

export interface Exchange {
	readonly config: HttpConfig;
	/** Below the base URL. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
	readonly translator: Translator;
	readonly signal: AbortSignal;
}

/** Asks a model over HTTP and yields its answer. Throws `ModelError`, or the signal's reason when it is aborted. */
export async function* exchange(asked: Exchange): AsyncGenerator<ModelEvent, void, undefined> {
	const { config, translator, signal } = asked;
	const { vendor } = config;
	const redact = (text: string) => createRedactor(config.key ? [config.key] : []).redact(text);
	const response = await send(asked);
	if (isRedirect(response)) {
		throw new ModelError(
			"endpoint_refused",
			`${vendor} answered with a redirect, which is not followed. Check the base URL.`,
		);
	}
	if (!response.ok) throw await httpError(response, { vendor, redact, signal });
	if (!response.body) throw new ModelError("bad_response", `The answer of ${vendor} has no body.`, { retryable: true });
	for await (const events of readAnswer(response.body, { vendor, translator, signal, redact })) {
		for (const event of events) yield event;
	}
}

async function send({ config, path, headers, body, signal }: Exchange): Promise<Response> {
	const url = endpoint(config.baseUrl, path);
	// The platform's fetch refuses to be called as a method of another object.
	const { fetch } = config;
	try {
		return await fetch(url, {
			method: "POST",
			headers: { accept: "text/event-stream, application/json", "content-type": "application/json", ...headers },
			body: wireJson(body),
			// A redirect would carry the key to a host that nobody chose.
			redirect: "manual",
			signal,
		});
	} catch (cause) {
		signal.throwIfAborted();
		if (cause instanceof Error && cause.name === "UrlRefused") {
			throw new ModelError("endpoint_refused", cause.message, { cause });
		}
		throw new ModelError("network", `${config.vendor} at ${new URL(url).host} could not be reached.`, {
			retryable: true,
			cause,
		});
	}
}

/** The path below the base URL, whose query (`api-version=…`) is kept. */
export function endpoint(baseUrl: string, path: string): string {
	const url = new URL(baseUrl);
	url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
	return url.href;
}

const isRedirect = ({ status }: Response) => status >= 300 && status < 400;

const maxErrorBytes = 64 * 1024;

interface ErrorContext {
	readonly vendor: string;
	readonly redact: (text: string) => string;
	readonly signal: AbortSignal;
}

async function httpError(response: Response, { vendor, redact, signal }: ErrorContext): Promise<ModelError> {
	const { status, headers } = response;
	const text = await readText(response.body, signal);
	return vendorError({ vendor, status, headers, payload: parsed(text), now: Date.now(), redact });
}

/** What could be read of an error's body; a body that breaks off does not hide the status. */
async function readText(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): Promise<string> {
	try {
		const { bytes } = await readCapped(body, maxErrorBytes, signal);
		return new TextDecoder().decode(bytes);
	} catch {
		signal.throwIfAborted();
		return "";
	}
}

/** Whatever content type it claims: DeepSeek labels JSON errors `application/octet-stream`. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// A gateway's error page says nothing that its status does not.
		return text.trimStart().startsWith("<") ? "" : text;
	}
}
