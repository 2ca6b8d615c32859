import type { Home } from "./oryx-process";

export type Query = Readonly<Record<string, string>>;

/** A workspace of a running server as its administrator uses it over the API; answers are handed on as they come. */
export interface WorkspaceClient {
	ask(method: string, what: string, query?: Query, headers?: Readonly<Record<string, string>>): Promise<Response>;
	/** Sends a body piece by piece as it is made. */
	send(method: string, what: string, query: Query, pieces: Iterable<Uint8Array>): Promise<Response>;
}

export function clientOf({ address, token }: Pick<Home, "address" | "token">, workspace: string): WorkspaceClient {
	const urlOf = (what: string, query: Query) =>
		`${address}/api/v1/workspaces/${workspace}/${what}?${new URLSearchParams(query)}`;
	const authorization = { Authorization: `Bearer ${token}` };
	return {
		ask: (method, what, query = {}, headers = {}) =>
			fetch(urlOf(what, query), { method, headers: { ...authorization, ...headers } }),
		send(method, what, query, pieces) {
			const headers = { ...authorization, "Content-Type": "application/octet-stream" };
			const request = { method, headers, body: streamOf(pieces), duplex: "half" };
			return fetch(urlOf(what, query), request);
		},
	};
}

function streamOf(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
	const iterator = pieces[Symbol.iterator]();
	return new ReadableStream({
		pull(controller) {
			const next = iterator.next();
			if (next.done) controller.close();
			else controller.enqueue(next.value);
		},
	});
}
