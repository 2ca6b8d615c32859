import { exchange, type HttpConfig } from "./exchange";
import type { ChatQuirks } from "./openai-chat-quirks";
import { openAiChatRequest } from "./openai-chat-request";
import { openAiChatTranslator } from "./openai-chat-response";
import type { Provider } from "./provider";

export interface OpenAiChatConfig extends HttpConfig {
	readonly quirks?: ChatQuirks;
	/** Azure takes the key in a header of its own. */
	readonly keyHeader?: string;
}

/** Chat completions, the form that most vendors and local servers speak. */
export function openAiChat(config: OpenAiChatConfig): Provider {
	const { vendor, key, keyHeader, quirks = {} } = config;
	return {
		dialect: "openai-chat",
		chat: (request, signal) =>
			exchange({
				config,
				path: "/chat/completions",
				headers: keyHeaders(key?.value, keyHeader),
				body: openAiChatRequest(request, { vendor, quirks }),
				translator: openAiChatTranslator(config),
				signal,
			}),
	};
}

function keyHeaders(key: string | undefined, header: string | undefined): Record<string, string> {
	if (key === undefined) return {};
	return header ? { [header]: key } : { authorization: `Bearer ${key}` };
}
