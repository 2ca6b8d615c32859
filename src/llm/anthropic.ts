import { anthropicRequest } from "./anthropic-request";
import { anthropicTranslator } from "./anthropic-response";
import { exchange, type HttpConfig } from "./exchange";
import type { Provider } from "./provider";

/** Anthropic's Messages API. */
export function anthropic(config: HttpConfig): Provider {
	return {
		dialect: "anthropic",
		chat: (request, signal) =>
			exchange({
				config,
				// Both `https://host` and `https://host/v1` are written as the base by users of this API.
				path: /\/v1\/*$/.test(config.baseUrl) ? "/messages" : "/v1/messages",
				headers: { "anthropic-version": "2023-06-01", ...(config.key && { "x-api-key": config.key.value }) },
				body: anthropicRequest(request, config.vendor),
				translator: anthropicTranslator(config),
				signal,
			}),
	};
}
