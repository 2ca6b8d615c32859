import type { ModelRequest } from "./provider";
import { type AssistantMessage, partsInOrder, reasoningFrom } from "./reasoning";
import { validHistory } from "./valid-history";
import { wireIds, wireName } from "./wire-ids";

type Block = Readonly<Record<string, unknown>>;

interface WireMessage {
	readonly role: "user" | "assistant";
	readonly content: Block[];
}

const toolUseId = /^[A-Za-z0-9_-]{1,128}$/;
/** The vendor demands a limit; each model in service takes this one. */
const defaultMaxTokens = 16_384;

/** The body of `POST /v1/messages`. The end of the system prompt and of the conversation are marked for the prompt cache. */
export function anthropicRequest(request: ModelRequest, vendor: string): Record<string, unknown> {
	const { system, messages } = validHistory(request.messages);
	const wireId = wireIds(messages, toolUseId);
	const wire: WireMessage[] = [];
	for (const message of messages) {
		if (message.role === "assistant") {
			wire.push({ role: "assistant", content: assistantBlocks(message, vendor, wireId) });
			continue;
		}
		const block: Block =
			message.role === "user"
				? { type: "text", text: message.content }
				: {
						type: "tool_result",
						tool_use_id: wireId(message.callId),
						content: message.content,
						...(message.isError && { is_error: true }),
					};
		const last = wire.at(-1);
		// All results of one answer go into one message, what the user said next after them.
		if (last?.role === "user") last.content.push(block);
		else wire.push({ role: "user", content: [block] });
	}
	return {
		model: request.model,
		max_tokens: request.maxTokens ?? defaultMaxTokens,
		...(system !== "" && { system: cached([{ type: "text", text: system }]) }),
		messages: wire.map((message, index) =>
			index === wire.length - 1 ? { ...message, content: cached(message.content) } : message,
		),
		...(request.tools.length > 0 && {
			tools: request.tools.map(({ name, description, inputSchema }) => ({
				name,
				description,
				input_schema: inputSchema,
			})),
		}),
		...(request.temperature !== undefined && { temperature: Math.min(1, request.temperature) }),
		stream: true,
	};
}

/** Thinking, then text, then calls: a text after a call is refused. */
function assistantBlocks(message: AssistantMessage, vendor: string, wireId: (id: string) => string): Block[] {
	const thoughts = reasoningFrom(vendor, message).filter(({ data }) => isSignedThought(data));
	return partsInOrder(message, thoughts).map((part): Block => {
		if (part.type === "reasoning") return part.data;
		if (part.type === "text") return { type: "text", text: part.text };
		const { call } = part;
		return {
			type: "tool_use",
			id: wireId(call.id),
			name: wireName(call.name),
			input: call.input.ok ? call.input.value : {},
		};
	});
}

/** Thinking is taken back only with its signature, redacted thinking as it is. */
const isSignedThought = ({ type, signature }: Block) =>
	type === "redacted_thinking" || (type === "thinking" && typeof signature === "string" && signature !== "");

const cached = (blocks: readonly Block[]): Block[] =>
	blocks.map((block, index) =>
		index === blocks.length - 1 ? { ...block, cache_control: { type: "ephemeral" } } : block,
	);
