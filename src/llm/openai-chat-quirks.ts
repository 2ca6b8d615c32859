/** How a vendor's chat completions differ from the common form. */
export interface ChatQuirks {
	/** The field for `maxTokens`; `max_tokens` where absent. */
	readonly maxTokensField?: "max_completion_tokens";
	/** Usage comes unasked, and asking for it is refused. */
	readonly countsUnasked?: boolean;
	/** What a call's id must look like. */
	readonly callId?: RegExp;
	/** Content of an assistant message that only calls; null where absent. */
	readonly emptyContent?: "";
	/** Fields of the vendor's own messages that go back with them. */
	readonly messageFields?: readonly string[];
	/** A field that every message with calls must have, and its value when nothing was thought. */
	readonly fieldWithCalls?: { readonly name: string; readonly otherwise: string };
	/** Fields of the vendor's own calls that go back with them. */
	readonly callFields?: readonly string[];
	/** What the first call of a message carries where the vendor's own proof of thinking is missing, for models that refuse it otherwise. */
	readonly unsignedCall?: { readonly models: RegExp; readonly fields: Readonly<Record<string, unknown>> };
	/** A tool's result carries the tool's name. */
	readonly namesResults?: boolean;
	/** A user's message may not follow a tool's result. */
	readonly answersToolsFirst?: boolean;
}
