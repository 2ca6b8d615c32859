import { secretForms } from "./secret-forms";

export interface KnownSecret {
	readonly name: string;
	readonly value: string;
}

/** Two-step replacement over a text that may still be growing. */
export interface KnownValues {
	replace(text: string): string;
	/** Where a known value may have begun that the text does not hold whole; the length of the text when none has. */
	openTail(text: string): number;
}

/** Finds known values in one pass, the longest first where several begin, and puts `[secret:NAME]` in their place. */
export function knownValues(secrets: readonly KnownSecret[]): KnownValues {
	const names = new Map<string, string>();
	for (const { name, value } of secrets) {
		for (const form of secretForms(value)) if (!names.has(form)) names.set(form, name);
	}
	if (names.size === 0) return { replace: (text) => text, openTail: (text) => text.length };
	const forms = [...names.keys()].sort((a, b) => b.length - a.length);
	const pattern = new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
	const isOpen = prefixIndex(forms);
	return {
		replace: (text) => text.replace(pattern, (form) => `[secret:${names.get(form)}]`),
		openTail: (text) => firstOpen(text, pattern, isOpen),
	};
}

interface PrefixIndex {
	readonly longest: number;
	/** Whether the text from `start` on is the beginning, and not the whole, of some form. */
	isOpenAt(text: string, start: number): boolean;
}

function prefixIndex(forms: readonly string[]): PrefixIndex {
	const byFirst = new Map<string, string[]>();
	for (const form of forms) {
		const first = form.charAt(0);
		byFirst.set(first, [...(byFirst.get(first) ?? []), form]);
	}
	return {
		longest: forms[0]?.length ?? 0,
		isOpenAt(text, start) {
			const candidates = byFirst.get(text.charAt(start));
			if (!candidates) return false;
			const tail = text.slice(start);
			return candidates.some((form) => form.length > tail.length && form.startsWith(tail));
		},
	};
}

/** The first open position that no whole value before it covers: what a later look at more text would decide anew. */
function firstOpen(text: string, pattern: RegExp, index: PrefixIndex): number {
	let open = nextOpen(text, Math.max(0, text.length - index.longest + 1), index);
	if (open === text.length) return open;
	for (const match of text.matchAll(pattern)) {
		if (match.index >= open) break;
		const end = match.index + match[0].length;
		if (end > open) open = nextOpen(text, end, index);
	}
	return open;
}

function nextOpen(text: string, from: number, index: PrefixIndex): number {
	let start = from;
	while (start < text.length && !index.isOpenAt(text, start)) start++;
	return start;
}
