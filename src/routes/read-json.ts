import type { Context } from "hono";
import { parseJson } from "../lib/parse-json";
import { AppError } from "../shared/errors";

/** The media type of the body, lower case and without parameters; empty when the request names none. */
export const mediaType = (c: Context): string =>
	(c.req.header("content-type") ?? "").replace(/;.*/s, "").trim().toLowerCase();

/** The body as JSON. Throws `unsupported_media_type` when it is said to be something else, `invalid_input` when it is no JSON. */
export async function readJson(c: Context): Promise<unknown> {
	const type = mediaType(c);
	if (!/^application\/(?:[\w.-]+\+)?json$/.test(type)) {
		const sent = type ? `not ${type}` : "and name it in the header Content-Type";
		throw new AppError("unsupported_media_type", `Send the body as application/json, ${sent}.`);
	}
	const parsed = parseJson(await c.req.text());
	if (!parsed.ok) throw new AppError("invalid_input", `The body cannot be read. ${parsed.message}`);
	return parsed.value;
}
