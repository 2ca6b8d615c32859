import { recordOf, wireJson } from "./json";
import type { ChatQuirks } from "./openai-chat-quirks";
import type { ModelRequest, ModelToolCall, ToolSpec } from "./provider";
import { type AssistantMessage, reasoningFrom } from "./reasoning";
import { validHistory } from "./valid-history";
import { wireIds, wireName } from "./wire-ids";

type WireMessage = Readonly<Record<string, unknown>>;

interface ChatStyle {
	readonly vendor: string;
	readonly quirks: ChatQuirks;
}

/** Vendors that publish no limit take 64 characters. */
const anyId = /^[\x21-\x7e]{1,64}$/;

/** The body of `POST /chat/completions`. */
export function openAiChatRequest(request: ModelRequest, style: ChatStyle): Record<string, unknown> {
	const { quirks } = style;
	return {
		model: request.model,
		messages: chatMessages(request, style),
		...(request.tools.length > 0 && { tools: request.tools.map(chatTool) }),
		...(request.temperature !== undefined && { temperature: request.temperature }),
		...(request.maxTokens !== undefined && { [quirks.maxTokensField ?? "max_tokens"]: request.maxTokens }),
		stream: true,
		...(!quirks.countsUnasked && { stream_options: { include_usage: true } }),
	};
}

/** The conversation, repaired, in the common form of chat messages. */
export function chatMessages(request: ModelRequest, style: ChatStyle): WireMessage[] {
	const { system, messages } = validHistory(request.messages);
	const wireId = wireIds(messages, style.quirks.callId ?? anyId);
	const wire = messages.flatMap((message, index): WireMessage[] => {
		if (message.role === "assistant") return [assistantMessage(message, { ...style, model: request.model, wireId })];
		if (message.role === "tool") {
			const name = style.quirks.namesResults && { name: wireName(message.name) };
			return [{ role: "tool", tool_call_id: wireId(message.callId), ...name, content: message.content }];
		}
		const needsAnswer = style.quirks.answersToolsFirst && messages[index - 1]?.role === "tool";
		return [...(needsAnswer ? [unsaidAnswer] : []), { role: "user", content: message.content }];
	});
	return system === "" ? wire : [{ role: "system", content: system }, ...wire];
}

const unsaidAnswer = { role: "assistant", content: "(No answer was given.)" };

interface MessageStyle extends ChatStyle {
	readonly model: string;
	readonly wireId: (id: string) => string;
}

function assistantMessage(message: AssistantMessage, style: MessageStyle): WireMessage {
	const { quirks, vendor } = style;
	const fields = fieldsSentBack(message, style);
	const calls = message.toolCalls;
	if (calls.length === 0) return { role: "assistant", content: message.content, ...fields };
	const isSigned = reasoningFrom(vendor, message).some(({ data }) => data.extra_content !== undefined);
	return {
		role: "assistant",
		content: message.content === "" ? (quirks.emptyContent ?? null) : message.content,
		...fields,
		tool_calls: calls.map((call, index) => ({
			id: style.wireId(call.id),
			type: "function",
			function: { name: wireName(call.name), arguments: wireArguments(call) },
			...callFields(call, { ...style, mayNeedProof: index === 0 && !isSigned }),
		})),
	};
}

function fieldsSentBack(message: AssistantMessage, { quirks, vendor }: ChatStyle): WireMessage {
	const said = Object.assign({}, ...reasoningFrom(vendor, message).map(({ data }) => data));
	const names = (quirks.messageFields ?? []).filter((name) => said[name] !== undefined);
	const required = message.toolCalls.length > 0 ? quirks.fieldWithCalls : undefined;
	return {
		...Object.fromEntries(names.map((name) => [name, said[name]])),
		...(required && { [required.name]: said[required.name] ?? required.otherwise }),
	};
}

function callFields(call: ModelToolCall, style: MessageStyle & { mayNeedProof: boolean }): WireMessage {
	const { callFields: names = [], unsignedCall } = style.quirks;
	const extra = recordOf(call.extra);
	const kept = names.filter((name) => extra[name] !== undefined).map((name) => [name, extra[name]] as const);
	if (kept.length > 0 || !style.mayNeedProof || !unsignedCall?.models.test(style.model))
		return Object.fromEntries(kept);
	return unsignedCall.fields;
}

/** The arguments as valid JSON: servers that parse them would refuse the whole history for one broken text. */
export const wireArguments = ({ input }: ModelToolCall): string => (input.ok ? wireJson(input.value) : "{}");

export const chatTool = ({ name, description, inputSchema }: ToolSpec): WireMessage => ({
	type: "function",
	function: { name, description, parameters: inputSchema },
});
