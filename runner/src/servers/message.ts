import { type JsonEdit, rawValue, replaceValues } from "./json-values";

/** A JSON-RPC id as JSON in its shortest form, so that equal ids are equal texts. */
export type IdText = string;

export interface RequestMessage {
	readonly kind: "request";
	readonly id: IdText;
	readonly method: string;
	readonly params: Readonly<Record<string, unknown>>;
	/** As it was received. */
	readonly text: string;
}

export interface NotificationMessage {
	readonly kind: "notification";
	readonly method: string;
	readonly params: Readonly<Record<string, unknown>>;
	readonly text: string;
}

export interface ResponseMessage {
	readonly kind: "response";
	/** Undefined when the peer could not tell which request it answers. */
	readonly id: IdText | undefined;
	readonly errorCode: number | undefined;
	readonly text: string;
}

export type Message = RequestMessage | NotificationMessage | ResponseMessage;

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads one JSON-RPC message; undefined when the text is none. */
export function readMessage(text: string): Message | undefined {
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch {
		return undefined;
	}
	if (!isObject(json) || json.jsonrpc !== "2.0") return undefined;
	return typeof json.method === "string" ? readCall(json, json.method, text) : readResponse(json, text);
}

function readCall(json: Json, method: string, text: string): Message | undefined {
	const params = isObject(json.params) ? json.params : {};
	if (!Object.hasOwn(json, "id")) return { kind: "notification", method, params, text };
	const id = idText(json.id);
	return id === undefined ? undefined : { kind: "request", id, method, params, text };
}

function readResponse(json: Json, text: string): Message | undefined {
	const id = idText(json.id);
	if (isObject(json.error)) {
		const { code } = json.error;
		return { kind: "response", id, errorCode: typeof code === "number" ? code : 0, text };
	}
	if (id === undefined || !Object.hasOwn(json, "result")) return undefined;
	return { kind: "response", id, errorCode: undefined, text };
}

/** Undefined for what is no id: only strings and numbers are. */
export const idText = (id: unknown): IdText | undefined =>
	typeof id === "string" || typeof id === "number" ? JSON.stringify(id) : undefined;

/** The `_meta` of a request or notification. */
export const metaOf = ({ params }: { params: Json }): Json => (isObject(params._meta) ? params._meta : {});

/** What a client says it can do, in the request that begins its session. */
export const capabilitiesOf = ({ params }: RequestMessage): Json =>
	isObject(params.capabilities) ? params.capabilities : {};

/** The message with some values replaced, and not one other character. */
export const withValues = ({ text }: { text: string }, edits: readonly JsonEdit[]): string =>
	replaceValues(text, edits);

/** The characters of a value, as the peer wrote them. */
export const rawOf = ({ text }: { text: string }, path: readonly string[]): string | undefined => rawValue(text, path);

/** Line ends inside JSON are blanks; both transports take them for the end of a message. */
export const onOneLine = (text: string): string => (/[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, " ") : text);

export const errorText = (id: IdText | null, code: number, message: string, data?: unknown): string =>
	JSON.stringify({ jsonrpc: "2.0", id: id === null ? null : JSON.parse(id), error: { code, message, data } });

export const resultText = (id: IdText, rawResult: string): string =>
	`{"jsonrpc":"2.0","id":${id},"result":${rawResult}}`;

export const cancelText = (requestId: number, reason: string): string =>
	JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason } });
