/** A JSON object that nobody has checked yet. */
export type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json =>
	typeof value === "object" && value !== null && !Array.isArray(value);

const nothing: Json = Object.freeze({});

/** The object itself, or an empty one: vendors leave out, null and retype what their documents promise. */
export const recordOf = (value: unknown): Json => (isRecord(value) ? value : nothing);

/** More fields than any vendor sends; a stream that grows one object for ever costs no more than this. */
const maxFields = 64;

/** An object with the fields of another on top, as far as they are few. */
export const withFields = (known: Json | undefined, added: Json): Json =>
	Object.keys(known ?? nothing).length > maxFields ? (known ?? nothing) : { ...known, ...added };

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A string as it is, a number as its text (Workers AI streams the token `1` as a number), otherwise empty. */
export function textOf(value: unknown): string {
	if (typeof value === "string") return value;
	return typeof value === "number" ? String(value) : "";
}

export const countOf = (value: unknown): number | undefined =>
	typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;

/** The JSON text of a request. Lone surrogate halves, which several vendors refuse a whole request for, become U+FFFD. */
export const wireJson = (value: unknown): string =>
	JSON.stringify(value).replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "$1\\ufffd");
