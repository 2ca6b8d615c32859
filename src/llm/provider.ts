/** One message of a conversation, in no vendor's shape. */
export type ModelMessage =
	| { role: "system"; content: string }
	| { role: "user"; content: string }
	| { role: "assistant"; content: string; toolCalls: readonly ModelToolCall[]; reasoning: readonly ReasoningPart[] }
	| { role: "tool"; callId: string; name: string; content: string; isError: boolean };

/** A call as the model asked for it. */
export interface ModelToolCall {
	/** Ours, unique in the session. */
	readonly id: string;
	/** The vendor's, as it came: may be empty, repeated or a number's text. */
	readonly vendorId: string;
	readonly name: string;
	/** The arguments' JSON text as received; `{}` for none. */
	readonly arguments: string;
	/** Parsed arguments, or why they must not be run. */
	readonly input:
		| { ok: true; value: Record<string, unknown> }
		| { ok: false; reason: "invalid_json" | "cut_off" | "not_an_object" };
	/** What the vendor wants back with the call (Gemini's thought signature …), untouched. */
	readonly extra?: Record<string, unknown>;
}

/** A vendor's thinking, kept and sent back exactly where it demands so: `raw` goes back untouched to the dialect that made it. */
export interface ReasoningPart {
	readonly dialect: Dialect;
	readonly text: string;
	readonly raw: unknown;
}

export type Dialect = "openai-chat" | "openai-responses" | "anthropic" | "workers-ai" | "manual";

export interface ToolSpec {
	readonly name: string;
	readonly description: string;
	/** JSON Schema of the arguments. */
	readonly inputSchema: Record<string, unknown>;
}

export interface ModelRequest {
	readonly model: string;
	readonly messages: readonly ModelMessage[];
	readonly tools: readonly ToolSpec[];
	readonly temperature?: number | undefined;
	readonly maxTokens?: number | undefined;
}

export interface Usage {
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cachedInputTokens?: number | undefined;
	readonly reasoningTokens?: number | undefined;
}

export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "unknown";

/** A whole answer. `content` is empty, never null. */
export interface ModelReply {
	readonly content: string;
	readonly toolCalls: readonly ModelToolCall[];
	readonly reasoning: readonly ReasoningPart[];
	readonly finishReason: FinishReason;
	readonly usage: Usage | undefined;
	/** The model that answered, as the vendor names it. */
	readonly model: string | undefined;
	/** Set when the model declined; the text is in `content` too. */
	readonly refusal?: string;
}

/** In order: any number of deltas, then exactly one `finish`. A failure is thrown as `ModelError`. */
export type ModelEvent =
	| { type: "text-delta"; text: string }
	| { type: "reasoning-delta"; text: string }
	| { type: "finish"; reply: ModelReply };

export interface Provider {
	readonly dialect: Dialect;
	chat(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export type ModelErrorCode =
	| "unauthorized"
	| "model_not_found"
	| "context_too_long"
	| "invalid_request"
	| "tool_use_failed"
	| "content_filter"
	| "quota_exceeded"
	| "rate_limited"
	| "overloaded"
	| "timeout"
	| "network"
	| "bad_response"
	| "stream_cut"
	| "endpoint_refused"
	| "not_configured";

/** A model call that failed. `message` is a sentence for people, without secrets; `retryAfterMs` is the longest the vendor asked for. */
export class ModelError extends Error {
	override readonly name = "ModelError";
	readonly code: ModelErrorCode;
	readonly retryable: boolean;
	readonly retryAfterMs: number | undefined;
	readonly status: number | undefined;
	constructor(
		code: ModelErrorCode,
		message: string,
		options: ErrorOptions & {
			retryable?: boolean;
			retryAfterMs?: number | undefined;
			status?: number | undefined;
		} = {},
	) {
		super(message, options);
		this.code = code;
		this.retryable = options.retryable ?? false;
		this.retryAfterMs = options.retryAfterMs;
		this.status = options.status;
	}
}
