import { toBase64, toBase64Url } from "./hash";

/** Shorter values are no secrets: redacting each "yes" or "on" would only spoil the text. */
const minLength = 4;
/** A piece of base64 shorter than this turns up by chance. */
const minCoreLength = 8;
/** JSON in JSON in JSON: the audit of a result that quotes a call whose argument is a document. */
const maxNesting = 4;

/**
 * Every way a secret's value is commonly written: as it is, in base64 (also inside a longer piece), URL- and JSON-escaped,
 * JSON in JSON, and escaped text inside a URL. A value pasted with blanks around it is known without them, too: that is how it is used.
 */
export function secretForms(pasted: string): readonly string[] {
	const values = [pasted, pasted.trim()].filter((value) => value.length >= minLength);
	return [...new Set(values.flatMap(formsOf))];
}

function formsOf(value: string): string[] {
	const quoted = escapedForms(value);
	const urls = [value, ...quoted].map((text) => text.toWellFormed()).flatMap(urlForms);
	const twice = urlForms(value.toWellFormed()).flatMap((url) => bothCases(encodeURIComponent(url)));
	const base64 = [value, jsonText(value)].flatMap(base64Forms);
	return [value, ...quoted, ...urls, ...twice, ...base64];
}

function base64Forms(value: string): string[] {
	const bytes = new TextEncoder().encode(value);
	const cores = [0, 1, 2].flatMap((offset) => base64Core(bytes, offset));
	return [toBase64(bytes).replace(/=+$/, ""), toBase64Url(bytes), ...cores];
}

/** The characters that do not depend on what stands around the value, `offset` bytes into a group of three. */
function base64Core(bytes: Uint8Array, offset: number): string[] {
	const padded = new Uint8Array(offset + bytes.length);
	padded.set(bytes, offset);
	const first = Math.ceil((offset * 8) / 6);
	const end = Math.floor((padded.length * 8) / 6);
	if (end - first < minCoreLength) return [];
	return [toBase64(padded).slice(first, end), toBase64Url(padded).slice(first, end)];
}

function urlForms(value: string): string[] {
	const component = encodeURIComponent(value);
	const form = new URLSearchParams([["", value]]).toString().slice(1);
	return [...bothCases(component), ...bothCases(form), encodeURI(value), parsedUrlText(value)];
}

const bothCases = (text: string) => [text, text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())];

/** What a URL parser makes of the value where it stands in a query as it is. */
const parsedUrlText = (value: string) => value.replace(/[^\x21\x24-\x3b\x3d\x3f-\x7e]+/g, encodeURIComponent);

const escapedForms = (value: string): string[] => [
	...repeated(jsonText, value, maxNesting),
	...repeated(asciiJsonText, value, maxNesting),
	...repeated(slashedJsonText, value, 2),
];

/** The text escaped once, twice, and so on. */
function repeated(write: (text: string) => string, value: string, times: number): string[] {
	const forms: string[] = [];
	for (let text = write(value); forms.length < times; text = write(text)) forms.push(text);
	return forms;
}

const jsonText = (value: string) => JSON.stringify(value).slice(1, -1);

const asciiJsonText = (value: string) =>
	jsonText(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const slashedJsonText = (value: string) => jsonText(value).replaceAll("/", "\\/");
