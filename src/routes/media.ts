import type { Context } from "hono";
import { accepts } from "hono/accepts";
import { parseJson } from "../lib/parse-json";
import { AppError } from "../shared/errors";

export const markdown = "text/markdown; charset=utf-8";

/** The media type of the body, lower case and without parameters; empty when the request names none. */
export const mediaType = (c: Context): string =>
	(c.req.header("content-type") ?? "").replace(/;.*/s, "").trim().toLowerCase();

/** Which of two forms the client would rather have; JSON where it does not say. */
export const wantsMarkdown = (
	c: Context,
	byDefault: "application/json" | "text/markdown" = "application/json",
): boolean =>
	accepts(c, { header: "Accept", supports: ["application/json", "text/markdown"], default: byDefault }) ===
	"text/markdown";

/** The body as JSON; a POST without one says what an empty object says, where a PUT without one is a slip. Throws `unsupported_media_type` when it is said to be something else, `invalid_input` when it is no JSON. */
export async function readJson(c: Context, wanted = "application/json"): Promise<unknown> {
	// By way of bytes: workerd warns of `text()` on a type that it does not know for text.
	const text = new TextDecoder().decode(await c.req.arrayBuffer());
	if (text === "" && c.req.method === "POST") return {};
	requireMedia(c, /^application\/(?:[\w.-]+\+)?json$/, wanted);
	const parsed = parseJson(text);
	if (parsed.ok) return parsed.value;
	throw new AppError("invalid_input", `The body cannot be read. ${withoutExcerpt(parsed.message)}`);
}

/** The engine quotes what it could not parse, which may be a secret. */
const withoutExcerpt = (message: string) => message.replace(/, .*(?= is not valid JSON$)/s, "");

/** The body as Markdown. Throws `unsupported_media_type` when it is said to be something else. */
export async function readMarkdown(c: Context): Promise<string> {
	requireMedia(c, /^text\/markdown$/, "text/markdown");
	return await c.req.text();
}

function requireMedia(c: Context, wanted: RegExp, name: string): void {
	const type = mediaType(c);
	if (wanted.test(type)) return;
	const sent = type ? `not ${type}` : "and say so in the header Content-Type";
	throw new AppError("unsupported_media_type", `Send the body as ${name}, ${sent}.`);
}
