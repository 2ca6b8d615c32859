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

interface Form {
	readonly form: string;
	readonly name: string;
	/** The longest other form that this one begins with. */
	readonly shorter: Form | undefined;
}

interface FormIndex {
	readonly longest: number;
	/** A bit for each number that some form's first letters make; most places of a text are passed over by it. */
	readonly bits: Uint8Array;
	/** In the order of their letters: a look-up costs the same however many secrets begin alike, as addresses do. */
	readonly forms: readonly Form[];
}

function indexForms(secrets: readonly KnownSecret[]): FormIndex {
	const names = new Map<string, string>();
	for (const { name, value } of secrets) {
		for (const form of secretForms(value)) if (!names.has(form)) names.set(form, name);
	}
	const forms: Form[] = [];
	for (const [form, name] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
		let shorter = forms.at(-1);
		while (shorter && !form.startsWith(shorter.form)) shorter = shorter.shorter;
		forms.push({ form, name, shorter });
	}
	const bits = new Uint8Array(0x1_0000);
	for (const { form } of forms) bits[roll(rollInto(form, 0), form.charCodeAt(3))] = 1;
	return { longest: forms.reduce((most, { form }) => Math.max(most, form.length), 0), bits, forms };
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
		const isLikely = index.bits[key] === 1;
		const mayGrow = at >= growsFrom && (isLikely || text.length - at < keyLength);
		if (mayGrow && isOpen(text.slice(at), index)) break;
		const found = isLikely ? longestAt(text.slice(at, at + index.longest), index) : undefined;
		if (found) {
			done += `${text.slice(copied, at)}[secret:${found.name}]`;
			at += found.form.length;
			copied = at;
			key = rollInto(text, at);
		} else at++;
	}
	return { done: done + text.slice(copied, at), rest: text.slice(at) };
}

/** The longest form that the text begins with: all between it and the text, in their order, begin with it, too. */
function longestAt(text: string, { forms }: FormIndex): Form | undefined {
	let form = forms[countUpTo(text, forms) - 1];
	while (form && !text.startsWith(form.form)) form = form.shorter;
	return form;
}

/** Whether the tail is the beginning, and not the whole, of some form. */
const isOpen = (tail: string, { forms }: FormIndex): boolean =>
	forms[countUpTo(tail, forms)]?.form.startsWith(tail) ?? false;

/** How many forms stand before or at a text. */
function countUpTo(text: string, forms: readonly Form[]): number {
	let low = 0;
	let high = forms.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((forms[middle]?.form ?? "") <= text) low = middle + 1;
		else high = middle;
	}
	return low;
}
