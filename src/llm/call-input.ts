import { parseJson } from "../lib/parse-json";
import { isRecord } from "./json";
import type { ModelToolCall } from "./provider";

/** The arguments' text, where `""`, blanks and `null` mean that there are none. */
export function argumentsText(text: string): string {
	const trimmed = text.trim();
	return trimmed === "" || trimmed === "null" ? "{}" : text;
}

/** Parses a call's arguments, or says why they must not be run. */
export function inputOf(text: string, isCutOff: boolean): ModelToolCall["input"] {
	if (isCutOff) return { ok: false, reason: "cut_off" };
	const parsed = parseJson(text);
	if (!parsed.ok) return { ok: false, reason: "invalid_json" };
	if (!isRecord(parsed.value)) return { ok: false, reason: "not_an_object" };
	return { ok: true, value: parsed.value };
}

/** Whether the text is a whole JSON object; the empty text is none. */
export const isWholeObject = (text: string): boolean => text.trimEnd().endsWith("}") && inputOf(text, false).ok;
