import { countOf, isRecord, type Json, listOf, recordOf, textOf, withFields } from "./json";
import type { ModelEvent, Usage } from "./provider";
import type { Place } from "./reasoning";
import { finishReasonOf, ReplyDraft } from "./reply-draft";
import type { Translator, TranslatorContext } from "./translator";

/** A block that is still open. */
interface OpenBlock {
	readonly start: Json;
	readonly place: Place;
	thinking: string;
	signature: string;
}

/** The Messages API, streamed or whole: https://docs.anthropic.com/en/api/messages-streaming */
export function anthropicTranslator(context: TranslatorContext): Translator {
	let draft = new ReplyDraft("anthropic", context);
	let open = new Map<number, OpenBlock>();
	let usage: Json = {};
	let lastType = "";

	/** A second start means that a gateway began anew: what the first try had said is void. */
	function startMessage(message: Json): void {
		draft = new ReplyDraft("anthropic", context);
		open = new Map();
		usage = {};
		lastType = "";
		draft.model = textOf(message.model) || undefined;
		addUsage(message.usage);
	}

	function startBlock(index: number, start: Json, emit: ModelEvent[]): void {
		const type = textOf(start.type);
		if (!open.has(index)) draft.openBlocks++;
		open.set(index, { start, place: draft.place(), thinking: "", signature: textOf(start.signature) });
		if (type === "text" && lastType !== "text") draft.paragraph(emit);
		if (type === "tool_use")
			draft.calls.add({ index, vendorId: textOf(start.id), name: textOf(start.name), arguments: "" });
		lastType = type;
		addText(index, start, emit);
	}

	/** Takes what a block's start, or one of its deltas, says. */
	function addText(index: number, said: Json, emit: ModelEvent[]): void {
		draft.text(textOf(said.text), emit);
		draft.thought(textOf(said.thinking), emit);
		const block = open.get(index);
		if (!block) return;
		block.thinking += textOf(said.thinking);
		if (said.type === "signature_delta") block.signature = textOf(said.signature);
		const json = textOf(said.partial_json);
		if (json !== "") draft.calls.add({ index, vendorId: "", name: "", arguments: json });
	}

	function stopBlock(index: number): void {
		const block = open.get(index);
		if (!block) return;
		open.delete(index);
		draft.openBlocks--;
		const { start, place, thinking, signature } = block;
		if (start.type === "thinking") draft.keepReasoning(thinking, { ...start, thinking, signature }, place);
		if (start.type === "redacted_thinking") draft.keepReasoning("", { ...start }, place);
		if (start.type === "tool_use") useStartInput(index, start.input);
	}

	/** Whole answers, and some gateways, give the input with the start of the block. */
	function useStartInput(index: number, input: unknown): void {
		const call = draft.calls.at(index);
		if (call && call.arguments === "" && isRecord(input)) call.arguments = JSON.stringify(input);
	}

	function addUsage(given: unknown): void {
		if (!isRecord(given)) return;
		usage = withFields(usage, given);
		draft.usage = usageOf(usage);
	}

	function endMessage(end: Json): void {
		draft.finishReason = finishReasonOf(end.stop_reason) ?? draft.finishReason;
		if (end.stop_reason === "refusal") draft.refusal = draft.content;
	}

	return {
		chunk(json, emit) {
			const index = countOf(json.index) ?? 0;
			if (json.type === "content_block_delta") addText(index, recordOf(json.delta), emit);
			else if (json.type === "content_block_start") startBlock(index, recordOf(json.content_block), emit);
			else if (json.type === "content_block_stop") stopBlock(index);
			else if (json.type === "message_start") startMessage(recordOf(json.message));
			else if (json.type === "message_delta") {
				endMessage(recordOf(json.delta));
				addUsage(json.usage);
			} else if (json.type === "message_stop") draft.isDone = true;
		},
		whole(json, emit) {
			startMessage(json);
			listOf(json.content).forEach((block, index) => {
				startBlock(index, recordOf(block), emit);
				stopBlock(index);
			});
			endMessage(json);
			draft.isDone = true;
		},
		done() {
			draft.isDone = true;
		},
		tear() {
			draft.openBlocks++;
		},
		end(emit) {
			if (draft.finishReason === "content-filter" && draft.content === "")
				draft.refuse("The model declined to answer.", emit);
			draft.finish(emit);
		},
	};
}

/** Anthropic counts what comes from its cache apart; our input is all of it. */
function usageOf(usage: Json): Usage {
	const cachedInputTokens = countOf(usage.cache_read_input_tokens);
	const written = countOf(usage.cache_creation_input_tokens) ?? 0;
	return {
		inputTokens: (countOf(usage.input_tokens) ?? 0) + (cachedInputTokens ?? 0) + written,
		outputTokens: countOf(usage.output_tokens) ?? 0,
		cachedInputTokens,
	};
}
