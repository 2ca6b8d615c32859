import { isRecord, type Json, textOf } from "./json";

/**
 * Joins streamed `reasoning_details` onto the list that OpenRouter wants back: pieces of one detail become one,
 * the order stays as it came (https://openrouter.ai/docs/use-cases/reasoning-tokens).
 */
export function joinReasoningDetails(details: Json[], added: readonly unknown[]): void {
	for (const piece of added.filter(isRecord)) {
		const last = details.at(-1);
		if (last && isContinuedBy(last, piece)) details[details.length - 1] = joined(last, piece);
		else details.push(piece);
	}
}

const growing: Readonly<Record<string, string>> = { "reasoning.text": "text", "reasoning.summary": "summary" };

function isContinuedBy(last: Json, piece: Json): boolean {
	return last.type === piece.type && last.index === piece.index && Object.hasOwn(growing, textOf(last.type));
}

function joined(last: Json, piece: Json): Json {
	const field = growing[textOf(last.type)] ?? "text";
	// The signature comes with the last piece, whose other fields may be null.
	const given = Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== null && value !== undefined));
	return { ...last, ...given, [field]: textOf(last[field]) + textOf(piece[field]) };
}
