import type { ModelMessage } from "./provider";

/** What a vendor takes as the id of a call. */
export type IdPattern = RegExp;

/**
 * The id that each call is sent under, by our id: the vendor's own where it is usable and was not used before in this
 * history, otherwise ours. The same history gives the same ids, so that a vendor's prompt cache goes on working.
 */
export function wireIds(messages: readonly ModelMessage[], pattern: IdPattern): (id: string) => string {
	const wire = new Map<string, string>();
	const used = new Set<string>();
	for (const message of messages) {
		if (message.role !== "assistant") continue;
		for (const { id, vendorId } of message.toolCalls) {
			const candidates = [vendorId, id].filter((candidate) => pattern.test(candidate));
			const chosen = candidates.find((candidate) => !used.has(candidate)) ?? shortId(id, used);
			used.add(chosen);
			wire.set(id, chosen);
		}
	}
	return (id) => wire.get(id) ?? id;
}

/** Nine letters and digits, which is all that Mistral takes, made from the id. */
function shortId(id: string, used: ReadonlySet<string>): string {
	for (let salt = 0; ; salt++) {
		const digits = fnv1a(`${salt}:${id}`).toString(36) + fnv1a(`${id}:${salt}`).toString(36);
		const short = digits.padStart(9, "0").slice(-9);
		if (!used.has(short)) return short;
	}
}

/** 32-bit FNV-1a: spreads, and proves nothing. */
function fnv1a(text: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	return hash >>> 0;
}

/** A tool name that goes into a request: a model may have called one that no vendor would take back. */
export const wireName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed_tool";
