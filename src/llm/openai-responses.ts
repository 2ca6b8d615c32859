import { exchange, type HttpConfig } from "./exchange";
import { openAiResponsesRequest } from "./openai-responses-request";
import { openAiResponsesTranslator } from "./openai-responses-response";
import type { Provider } from "./provider";

/** OpenAI's Responses API. */
export function openAiResponses(config: HttpConfig): Provider {
	return {
		dialect: "openai-responses",
		chat: (request, signal) =>
			exchange({
				config,
				path: "/responses",
				headers: config.key ? { authorization: `Bearer ${config.key.value}` } : {},
				body: openAiResponsesRequest(request, config.vendor),
				translator: openAiResponsesTranslator(config),
				signal,
			}),
	};
}
