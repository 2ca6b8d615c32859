import { isRecord, type Json } from "./json";
import { wireArguments } from "./openai-chat-request";
import type { ModelRequest } from "./provider";
import { type AssistantMessage, partsInOrder, reasoningFrom } from "./reasoning";
import { validHistory } from "./valid-history";
import { wireIds, wireName } from "./wire-ids";

type Item = Readonly<Record<string, unknown>>;

const callId = /^[\x21-\x7e]{1,64}$/;

/** The body of `POST /responses`, for a conversation that the vendor does not store. */
export function openAiResponsesRequest(request: ModelRequest, vendor: string): Record<string, unknown> {
	const { system, messages } = validHistory(request.messages);
	const wireId = wireIds(messages, callId);
	const input = messages.flatMap((message): Item[] => {
		if (message.role === "user") return [{ role: "user", content: message.content }];
		if (message.role === "assistant") return assistantItems(message, vendor, wireId);
		return [{ type: "function_call_output", call_id: wireId(message.callId), output: message.content }];
	});
	return {
		model: request.model,
		...(system !== "" && { instructions: system }),
		input,
		...(request.tools.length > 0 && {
			tools: request.tools.map(({ name, description, inputSchema }) => ({
				type: "function",
				name,
				description,
				parameters: inputSchema,
				// Strict mode takes only a narrow kind of schema, and is the default here.
				strict: false,
			})),
		}),
		...(request.temperature !== undefined && { temperature: request.temperature }),
		...(request.maxTokens !== undefined && { max_output_tokens: request.maxTokens }),
		store: false,
		...(canThink(request.model) && { include: ["reasoning.encrypted_content"] }),
		stream: true,
	};
}

/** OpenAI refuses a request for encrypted reasoning from a model that has none. */
const canThink = (model: string) => !/(^|\/)(gpt-3|gpt-4|chatgpt-)|gpt-5(\.\d+)?-chat/.test(model);

function assistantItems(message: AssistantMessage, vendor: string, wireId: (id: string) => string): Item[] {
	const raw = reasoningFrom(vendor, message);
	const phase = raw.map(({ data }) => data.phase).findLast((said) => typeof said === "string");
	const thoughts = raw.filter(({ data }) => isRecord(data.item) && typeof data.item.encrypted_content === "string");
	return partsInOrder(message, thoughts).map((part): Item => {
		if (part.type === "reasoning") return reasoningItem(part.data);
		if (part.type === "text") {
			return {
				type: "message",
				role: "assistant",
				content: [{ type: "output_text", text: part.text }],
				...(phase !== undefined && { phase }),
			};
		}
		const { call } = part;
		return {
			type: "function_call",
			call_id: wireId(call.id),
			name: wireName(call.name),
			arguments: wireArguments(call),
		};
	});
}

/** The item as it came, without the fields that only answers have. */
function reasoningItem(data: Json): Item {
	const { status: _, ...item } = isRecord(data.item) ? data.item : {};
	return item;
}
