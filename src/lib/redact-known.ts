import { secretForms } from "./secret-forms";

export interface KnownSecret {
	readonly name: string;
	readonly value: string;
}

/** One replacement of a text that may still be growing. */
export interface Replacer {
	replace(text: string): string;
	/** Replaces all that no further text can change; `rest` must come again in front of what follows. */
	take(text: string): { done: string; rest: string };
}

/** Puts `[secret:NAME]` in place of each known value, whichever way it is written: in one pass, the longest of those that begin at one place. */
export function knownValues(secrets: readonly KnownSecret[]): Replacer {
	const forms = indexForms(secrets);
	if (forms.longest === 0) return { replace: (text) => text, take: (text) => ({ done: text, rest: "" }) };
	return {
		replace: (text) => scan(text, forms, text.length).done,
		take: (text) => scan(text, forms, Math.max(0, text.length - forms.longest + 1)),
	};
}

/** Every form is at least this long, so that its first letters can be looked up by one number. */
const keyLength = 4;

interface FormIndex {
	readonly longest: number;
	/** A bit for each number that some form's first letters make; most places of a text are passed over by it. */
	readonly bits: Uint8Array;
	/** Forms by their first letters, the longest first. */
	readonly byKey: ReadonlyMap<string, readonly { form: string; name: string }[]>;
	/** Beginnings shorter than a key. */
	readonly shortPrefixes: ReadonlySet<string>;
}

function indexForms(secrets: readonly KnownSecret[]): FormIndex {
	const names = new Map<string, string>();
	for (const { name, value } of secrets) {
		for (const form of secretForms(value)) if (!names.has(form)) names.set(form, name);
	}
	const forms = Array.from(names, ([form, name]) => ({ form, name })).sort((a, b) => b.form.length - a.form.length);
	const bits = new Uint8Array(0x1_0000);
	for (const { form } of forms) bits[roll(rollInto(form, 0), form.charCodeAt(3))] = 1;
	return {
		longest: forms[0]?.form.length ?? 0,
		bits,
		byKey: Map.groupBy(forms, ({ form }) => form.slice(0, keyLength)),
		shortPrefixes: new Set(forms.flatMap(({ form }) => [form.slice(0, 1), form.slice(0, 2), form.slice(0, 3)])),
	};
}

/** Takes one more letter into a 16-bit number, from which the fourth letter before it falls out. */
const roll = (key: number, unit: number) => ((key << 4) ^ unit) & 0xffff;

/** The number of the three letters from `at` on; one more `roll` makes it whole. */
const rollInto = (text: string, at: number) =>
	roll(roll(roll(0, text.charCodeAt(at)), text.charCodeAt(at + 1)), text.charCodeAt(at + 2));

/** Walks the text once; from `growsFrom` on, a place where a longer form may yet come to stand ends the walk. */
function scan(text: string, index: FormIndex, growsFrom: number): { done: string; rest: string } {
	let done = "";
	let copied = 0;
	let at = 0;
	let key = rollInto(text, 0);
	while (at < text.length) {
		key = roll(key, text.charCodeAt(at + 3));
		const candidates = index.bits[key] ? index.byKey.get(text.slice(at, at + keyLength)) : undefined;
		if (at >= growsFrom && isOpen(text.slice(at), index, candidates)) break;
		const found = candidates?.find(({ form }) => text.startsWith(form, at));
		if (found) {
			done += `${text.slice(copied, at)}[secret:${found.name}]`;
			at += found.form.length;
			copied = at;
			key = rollInto(text, at);
		} else at++;
	}
	return { done: done + text.slice(copied, at), rest: text.slice(at) };
}

/** Whether the tail is the beginning, and not the whole, of some form. */
function isOpen(
	tail: string,
	{ shortPrefixes }: FormIndex,
	candidates: readonly { form: string }[] | undefined,
): boolean {
	if (tail.length < keyLength) return shortPrefixes.has(tail);
	return candidates?.some(({ form }) => form.length > tail.length && form.startsWith(tail)) ?? false;
}
