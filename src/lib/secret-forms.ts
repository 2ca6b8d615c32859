import { toBase64, toBase64Url } from "./hash";

/** Shorter values are no secrets: redacting each "yes" or "on" would only spoil the text. */
const minLength = 4;
/** A piece of base64 shorter than this turns up by chance. */
const minCoreLength = 8;

/** Every way a secret's value is commonly written: as it is, in base64 (also inside a longer piece), URL- and JSON-escaped. */
export function secretForms(value: string): readonly string[] {
	if (value.length < minLength) return [];
	const forms = [value, ...base64Forms(value), ...urlForms(value.toWellFormed()), ...jsonForms(value)];
	return [...new Set(forms)];
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
	const lowerCase = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
	return [component, lowerCase(component), form, lowerCase(form), encodeURI(value)];
}

function jsonForms(value: string): string[] {
	const escaped = JSON.stringify(value).slice(1, -1);
	const twice = JSON.stringify(escaped).slice(1, -1);
	const ascii = escaped.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
	return [escaped, twice, ascii, escaped.replaceAll("/", "\\/")];
}
