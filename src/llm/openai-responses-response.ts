import { countOf, isRecord, type Json, listOf, recordOf, textOf } from "./json";
import { ModelError, type ModelEvent, type Usage } from "./provider";
import { finishReasonOf, ReplyDraft } from "./reply-draft";
import type { Translator, TranslatorContext } from "./translator";

/** The Responses API, streamed or whole: https://platform.openai.com/docs/api-reference/responses-streaming */
export function openAiResponsesTranslator(context: TranslatorContext): Translator {
	const draft = new ReplyDraft("openai-responses", context);
	/** Items by their place in the output: those that are done, and those whose text was streamed. */
	const done = new Set<number>();
	const streamed = new Set<number>();

	/** The handlers of the events that matter; the others repeat what these say. */
	const handlers: Readonly<Record<string, (json: Json, place: number, emit: ModelEvent[]) => void>> = {
		"response.created": ({ response }) => readModel(recordOf(response)),
		"response.output_item.added": ({ item }, place) => openItem(recordOf(item), place),
		"response.output_text.delta": ({ delta }, place, emit) => {
			openText(place, emit);
			draft.text(textOf(delta), emit);
		},
		"response.refusal.delta": ({ delta }, place, emit) => {
			openText(place, emit);
			draft.refuse(textOf(delta), emit);
		},
		"response.reasoning_summary_part.added": ({ summary_index: index }, _, emit) => {
			if ((countOf(index) ?? 0) > 0) draft.thought("\n\n", emit);
		},
		"response.reasoning_summary_text.delta": ({ delta }, _, emit) => draft.thought(textOf(delta), emit),
		"response.reasoning_text.delta": ({ delta }, _, emit) => draft.thought(textOf(delta), emit),
		"response.function_call_arguments.delta": ({ delta }, place) => addArguments(textOf(delta), place),
		"response.output_item.done": ({ item }, place, emit) => closeItem(recordOf(item), place, emit),
		"response.completed": ({ response }, _, emit) => readResponse(recordOf(response), emit),
		"response.incomplete": ({ response }, _, emit) => readResponse(recordOf(response), emit),
		"response.failed": ({ response }, _, emit) => readResponse(recordOf(response), emit),
	};

	function readModel(response: Json): void {
		draft.model = textOf(response.model) || draft.model;
	}

	function openItem(item: Json, place: number): void {
		draft.openBlocks++;
		if (item.type !== "function_call") return;
		draft.calls.add({ index: place, vendorId: textOf(item.call_id), name: textOf(item.name), arguments: "" });
	}

	/** Separates the texts of two messages, such as a remark before a call and the answer. */
	function openText(place: number, emit: ModelEvent[]): void {
		if (streamed.has(place)) return;
		draft.paragraph(emit);
		streamed.add(place);
	}

	function addArguments(text: string, place: number): void {
		draft.calls.add({ index: place, vendorId: "", name: "", arguments: text });
	}

	function closeItem(item: Json, place: number, emit: ModelEvent[]): void {
		if (done.has(place)) return;
		done.add(place);
		draft.openBlocks = Math.max(0, draft.openBlocks - 1);
		if (item.type === "function_call") closeCall(item, place);
		if (item.type === "reasoning") draft.keepReasoning(summaryOf(item), { item });
		if (item.type === "message") closeMessage(item, place, emit);
	}

	/** The item says the arguments once more, whole; they are the ones that count. */
	function closeCall(item: Json, place: number): void {
		draft.calls.add({ index: place, vendorId: textOf(item.call_id), name: textOf(item.name), arguments: "" });
		const call = draft.calls.at(place);
		if (call && typeof item.arguments === "string" && item.arguments !== "") call.arguments = item.arguments;
	}

	function closeMessage(item: Json, place: number, emit: ModelEvent[]): void {
		if (typeof item.phase === "string") draft.keepReasoning("", { phase: item.phase });
		if (streamed.has(place)) return;
		for (const part of listOf(item.content).filter(isRecord)) {
			openText(place, emit);
			if (part.type === "refusal") draft.refuse(textOf(part.refusal), emit);
			else draft.text(textOf(part.text), emit);
		}
	}

	function readResponse(response: Json, emit: ModelEvent[]): void {
		if (response.status === "failed") {
			throw new ModelError("bad_response", `${context.vendor} failed and did not say why.`, { retryable: true });
		}
		readModel(response);
		// Some gateways stream no items and send them all here.
		if (done.size === 0) listOf(response.output).forEach((item, place) => void closeItem(recordOf(item), place, emit));
		if (isRecord(response.usage)) draft.usage = usageOf(response.usage);
		const reason = recordOf(response.incomplete_details).reason;
		draft.finishReason = finishReasonOf(reason) ?? (response.status === "incomplete" ? "unknown" : "stop");
		draft.isDone = true;
	}

	return {
		chunk(json, emit) {
			const type = textOf(json.type);
			if (Object.hasOwn(handlers, type)) handlers[type]?.(json, countOf(json.output_index) ?? 0, emit);
		},
		whole: readResponse,
		done() {
			draft.isDone = true;
		},
		tear() {
			draft.openBlocks++;
		},
		end: (emit) => draft.finish(emit),
	};
}

const summaryOf = (item: Json): string =>
	[...listOf(item.summary), ...listOf(item.content)]
		.map((part) => textOf(recordOf(part).text))
		.filter(Boolean)
		.join("\n\n");

function usageOf(usage: Json): Usage {
	return {
		inputTokens: countOf(usage.input_tokens) ?? 0,
		outputTokens: countOf(usage.output_tokens) ?? 0,
		cachedInputTokens: countOf(recordOf(usage.input_tokens_details).cached_tokens),
		reasoningTokens: countOf(recordOf(usage.output_tokens_details).reasoning_tokens),
	};
}
