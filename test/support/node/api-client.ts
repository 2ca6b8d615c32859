import type { Home } from "./oryx-process";

/** Calls the API of a running server as its administrator. Throws with the whole answer when that is no success. */
export type Call = <Answer>(
	method: string,
	path: string,
	body?: unknown,
	headers?: Record<string, string>,
) => Promise<Answer>;

export const apiOf =
	({ address, token }: Pick<Home, "address" | "token">): Call =>
	async (method, path, body, headers) => {
		const response = await fetch(`${address}/api/v1${path}`, {
			method,
			headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return text === "" ? undefined : JSON.parse(text);
	};
