import { readCallDelta } from "./call-merger";
import { countOf, isRecord, type Json, listOf, recordOf, textOf, withFields } from "./json";
import { ModelError, type ModelEvent, type Usage } from "./provider";
import { joinReasoningDetails } from "./reasoning-details";
import { finishReasonOf, ReplyDraft } from "./reply-draft";
import type { Translator, TranslatorContext } from "./translator";

/** Chat completions, streamed or whole: https://platform.openai.com/docs/api-reference/chat/streaming */
export function openAiChatTranslator(
	context: TranslatorContext,
	dialect: "openai-chat" | "workers-ai" = "openai-chat",
): Translator {
	const draft = new ReplyDraft(dialect, context);
	/** Fields of the message beside its text and calls that vendors want back, as they name them. */
	const fields: Record<string, unknown> = {};
	const details: Json[] = [];
	let thinking = "";

	function chunk(json: Json, emit: ModelEvent[]): void {
		draft.model ||= textOf(json.model) || undefined;
		readUsage(json.usage ?? recordOf(json.x_groq).usage);
		for (const choice of listOf(json.choices)) {
			if (!isRecord(choice) || (countOf(choice.index) ?? 0) !== 0) continue;
			// Moonshot counts inside the choice.
			readUsage(choice.usage);
			readMessage(recordOf(choice.delta ?? choice.message), emit);
			readReason(choice.finish_reason);
		}
	}

	function readUsage(usage: unknown): void {
		if (isRecord(usage)) draft.usage = usageOf(usage);
	}

	function readReason(word: unknown): void {
		// DeepSeek and OpenRouter end an answer that failed half-way like this.
		if (word === "insufficient_system_resource" || word === "error") {
			throw new ModelError("overloaded", `${context.vendor} broke off its answer.`, { retryable: true });
		}
		const reason = finishReasonOf(word);
		const isCutOff = draft.finishReason === "length" || draft.finishReason === "content-filter";
		if (reason && !isCutOff) draft.finishReason = reason;
	}

	function readMessage(message: Json, emit: ModelEvent[]): void {
		const field = typeof message.reasoning_content === "string" ? "reasoning_content" : "reasoning";
		think(field, textOf(message[field]), emit);
		if (Array.isArray(message.content)) for (const part of message.content) readPart(recordOf(part), emit);
		else draft.text(textOf(message.content), emit);
		draft.refuse(textOf(message.refusal), emit);
		keepFields(message);
		for (const call of listOf(message.tool_calls)) {
			const delta = readCallDelta(call);
			if (delta) draft.calls.add(delta);
		}
	}

	function think(field: string, text: string, emit: ModelEvent[]): void {
		if (text === "") return;
		thinking += text;
		fields[field] = textOf(fields[field]) + text;
		draft.thought(text, emit);
	}

	/** Mistral's thinking models answer with a list of parts. */
	function readPart(part: Json, emit: ModelEvent[]): void {
		if (part.type === "refusal") draft.refuse(textOf(part.refusal), emit);
		else if (part.type === "thinking") think("thinking", thoughtOf(part.thinking), emit);
		else draft.text(textOf(part.text), emit);
	}

	function keepFields(message: Json): void {
		if (isRecord(message.extra_content))
			fields.extra_content = withFields(recordOf(fields.extra_content), message.extra_content);
		const added = listOf(message.reasoning_details);
		if (added.length === 0) return;
		joinReasoningDetails(details, added);
		fields.reasoning_details = details;
	}

	return {
		chunk,
		whole(json, emit) {
			draft.isDone = true;
			chunk(json, emit);
		},
		done() {
			draft.isDone = true;
		},
		tear() {
			draft.openBlocks++;
		},
		end(emit) {
			if (Object.keys(fields).length > 0) draft.keepReasoning(thinking, fields, { afterText: false, afterCalls: 0 });
			draft.finish(emit);
		},
	};
}

const thoughtOf = (thinking: unknown): string =>
	Array.isArray(thinking) ? thinking.map((piece) => textOf(recordOf(piece).text)).join("") : textOf(thinking);

function usageOf(usage: Json): Usage {
	const inputTokens = countOf(usage.prompt_tokens) ?? 0;
	const completion = countOf(usage.completion_tokens) ?? 0;
	return {
		inputTokens,
		// Gemini and xAI leave the thinking out of `completion_tokens`; the total has it.
		outputTokens: Math.max(completion, (countOf(usage.total_tokens) ?? 0) - inputTokens),
		cachedInputTokens:
			countOf(recordOf(usage.prompt_tokens_details).cached_tokens) ?? countOf(usage.prompt_cache_hit_tokens),
		reasoningTokens: countOf(recordOf(usage.completion_tokens_details).reasoning_tokens),
	};
}
