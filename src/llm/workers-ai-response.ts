import { isRecord, type Json, listOf } from "./json";
import { openAiChatTranslator } from "./openai-chat-response";
import type { Translator, TranslatorContext } from "./translator";
import { vendorError } from "./vendor-error";

/** Answers of Workers AI: its own form `{response, tool_calls, usage}`, chat completions, and either in the REST envelope. */
export function workersAiTranslator(context: TranslatorContext): Translator {
	const chat = openAiChatTranslator(context, "workers-ai");
	const read = (json: Json): Json => asChat(unwrapped(json, context.vendor));
	return {
		...chat,
		chunk: (json, emit) => chat.chunk(read(json), emit),
		whole: (json, emit) => chat.whole(read(json), emit),
	};
}

function unwrapped(json: Json, vendor: string): Json {
	if (json.success === false || listOf(json.errors).length > 0) {
		throw vendorError({ vendor, payload: json, now: Date.now(), redact: (text) => text });
	}
	return isRecord(json.result) ? json.result : json;
}

/** The native form as the chunk of chat completions that says the same. */
function asChat(json: Json): Json {
	if (Array.isArray(json.choices)) return json;
	const { response, tool_calls, ...rest } = json;
	// An answer that was asked for as JSON comes as an object.
	const content = typeof response === "object" && response !== null ? JSON.stringify(response) : response;
	return { ...rest, choices: [{ delta: { content, tool_calls } }] };
}
