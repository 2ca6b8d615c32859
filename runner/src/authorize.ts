import { createHash, timingSafeEqual } from "node:crypto";
import { createMiddleware } from "hono/factory";
import { refuse } from "./refusal";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Lets through whoever has the token; how long the comparison takes tells nothing of it. */
export function authorize(token: string) {
	const expected = digest(`Bearer ${token}`);
	return createMiddleware(async (c, next) => {
		const given = digest(c.req.header("authorization") ?? "");
		if (!timingSafeEqual(given, expected)) {
			throw refuse("unauthorized", "The runner asks for its own bearer token (RUNNER_TOKEN), and this is not it.");
		}
		await next();
	});
}
