import { argumentsText, inputOf, isWholeObject } from "./call-input";
import { callMerger, type DraftCall } from "./call-merger";
import {
	type Dialect,
	type FinishReason,
	ModelError,
	type ModelEvent,
	type ModelReply,
	type ModelToolCall,
	type ReasoningPart,
	type Usage,
} from "./provider";
import { rawReasoning } from "./reasoning";
import type { TranslatorContext } from "./translator";

/** A reply that is still being gathered. */
export class ReplyDraft {
	content = "";
	refusal = "";
	finishReason: FinishReason | undefined;
	usage: Usage | undefined;
	model: string | undefined;
	/** The vendor said that the answer is complete, by a mark of its own or because it came whole. */
	isDone = false;
	/** Blocks or items that were begun and not ended, in the dialects that say so. */
	openBlocks = 0;
	readonly reasoning: ReasoningPart[] = [];
	readonly calls = callMerger();
	readonly #dialect: Dialect;
	readonly #context: TranslatorContext;

	constructor(dialect: Dialect, context: TranslatorContext) {
		this.#dialect = dialect;
		this.#context = context;
	}

	text(text: string, emit: ModelEvent[]): void {
		if (text === "") return;
		this.content += text;
		emit.push({ type: "text-delta", text });
	}

	/** Text that the vendor sends as a new block, kept apart from the one before it. */
	paragraph(emit: ModelEvent[]): void {
		if (this.content !== "" && !this.content.endsWith("\n")) this.text("\n\n", emit);
	}

	refuse(text: string, emit: ModelEvent[]): void {
		this.refusal += text;
		this.text(text, emit);
	}

	thought(text: string, emit: ModelEvent[]): void {
		if (text !== "") emit.push({ type: "reasoning-delta", text });
	}

	/** Keeps a piece of thinking with its place in the answer. */
	keepReasoning(text: string, data: Record<string, unknown>, place = this.place()): void {
		this.reasoning.push({ dialect: this.#dialect, text, raw: rawReasoning(this.#context.vendor, data, place) });
	}

	/** What of the answer has come so far. */
	place(): { afterText: boolean; afterCalls: number } {
		return { afterText: this.content !== "", afterCalls: this.calls.calls.length };
	}

	/** Ends the answer. Throws `stream_cut` or `bad_response` when it cannot be the whole of one. */
	finish(emit: ModelEvent[]): void {
		this.#refuseUnfinished();
		emit.push({ type: "finish", reply: this.#reply() });
	}

	#refuseUnfinished(): void {
		const { vendor } = this.#context;
		const calls = this.#usableCalls();
		const isEmpty = this.content === "" && calls.length === 0;
		if (this.finishReason === undefined && !this.isDone) {
			const isWhole = this.openBlocks === 0 && calls.every((call) => isWholeObject(call.arguments));
			if (isWhole && !isEmpty) return;
			throw new ModelError("stream_cut", `The answer of ${vendor} broke off.`, { retryable: true });
		}
		// A model may well have nothing to say; an empty answer that claims calls or another end has lost something.
		if (!isEmpty || this.#isSaidEnd()) return;
		throw new ModelError("bad_response", `The answer of ${vendor} was empty.`, { retryable: true });
	}

	#isSaidEnd(): boolean {
		return this.finishReason === "stop" || this.#isCutOff();
	}

	#isCutOff(): boolean {
		return this.finishReason === "length" || this.finishReason === "content-filter";
	}

	#reply(): ModelReply {
		const toolCalls = this.#usableCalls().map((call) => this.#toolCall(call));
		return {
			content: this.content,
			toolCalls,
			reasoning: this.reasoning,
			finishReason: this.#reason(toolCalls.length),
			usage: this.usage,
			model: this.model,
			...(this.refusal !== "" && { refusal: this.refusal }),
		};
	}

	/** Vendors say `stop`, nothing or `tool_calls` for either kind of answer: what came decides. */
	#reason(calls: number): FinishReason {
		if (calls > 0 && !this.#isCutOff()) return "tool-calls";
		if (this.finishReason === "tool-calls") return "unknown";
		// Workers AI gives no reason; its answers just end.
		return this.finishReason ?? (this.isDone ? "stop" : "unknown");
	}

	/** A call of which neither a name nor arguments came is none. */
	#usableCalls(): DraftCall[] {
		return this.calls.calls.filter((call) => call.name !== "" || call.arguments.trim() !== "");
	}

	#toolCall(call: DraftCall): ModelToolCall {
		const text = argumentsText(call.arguments);
		return {
			id: this.#context.newId(),
			vendorId: call.vendorId,
			name: call.name,
			arguments: text,
			input: inputOf(text, this.#isCutOff()),
			...(call.extra && { extra: call.extra }),
		};
	}
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
	stop: "stop",
	end_turn: "stop",
	stop_sequence: "stop",
	eos: "stop",
	tool_calls: "tool-calls",
	tool_use: "tool-calls",
	function_call: "tool-calls",
	length: "length",
	max_tokens: "length",
	max_output_tokens: "length",
	model_length: "length",
	model_context_window_exceeded: "length",
	content_filter: "content-filter",
	refusal: "content-filter",
	safety: "content-filter",
};

/** Our word for a vendor's reason; undefined where it gives none. */
export function finishReasonOf(word: unknown): FinishReason | undefined {
	if (typeof word !== "string" || word === "") return undefined;
	const key = word.toLowerCase();
	return Object.hasOwn(finishReasons, key) ? finishReasons[key] : "unknown";
}
