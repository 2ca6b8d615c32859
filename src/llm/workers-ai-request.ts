import { chatMessages, chatTool } from "./openai-chat-request";
import type { ModelRequest } from "./provider";

/** The inputs of `AI.run`: chat messages without the model, which is an argument of its own. */
export function workersAiRequest(request: ModelRequest, vendor: string): Record<string, unknown> {
	return {
		messages: chatMessages(request, { vendor, quirks: { emptyContent: "", namesResults: true } }),
		...(request.tools.length > 0 && { tools: request.tools.map(chatTool) }),
		...(request.temperature !== undefined && { temperature: request.temperature }),
		...(request.maxTokens !== undefined && { max_tokens: request.maxTokens }),
		stream: true,
	};
}
