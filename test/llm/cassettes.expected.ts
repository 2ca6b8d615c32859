import type { Expected } from "./play";

/** Each recording of the shared corpus: the preset that reads it, and what it must come to. Read off the recordings by hand. */
export const cassettes: Readonly<Record<string, { preset: string; expected: Expected }>> = {
	"openai-chat-stream-parallel-tools": {
		preset: "openai",
		expected: {
			calls: [
				{ name: "get_current_weather", vendorId: "call_j7L00WV19wwQCvKOIVZewXZm", args: { location: "Seattle, WA" } },
				{
					name: "get_current_weather",
					vendorId: "call_sAIOI3dvcd1YMsEqD8DI3l8B",
					args: { location: "San Francisco, CA" },
				},
			],
			finish: "tool-calls",
			usage: [75, 51, 0, 0],
			model: "gpt-4o-mini-2024-07-18",
		},
	},
	"openai-chat-stream-loop-1": {
		preset: "openai",
		expected: {
			calls: [
				{ name: "add", vendorId: "call_ehIWdjL1abZk1h8FWGLQ0Hie", args: { a: 2, b: 3 } },
				{ name: "multiply", vendorId: "call_fBSgA47J5VeONggizTIvl7AH", args: { a: 2, b: 3 } },
			],
			finish: "tool-calls",
			usage: [106, 50, 0, 0],
			model: "gpt-4o-2024-08-06",
		},
	},
	"openai-chat-stream-loop-2": {
		preset: "openai",
		expected: {
			text: "The sum of 2 and 3 is 5, and the product is 6.",
			finish: "stop",
			usage: [172, 20, 0, 0],
			model: "gpt-4o-2024-08-06",
		},
	},
	"openai-chat-refusal-null-content": {
		preset: "openai",
		expected: {
			text: "I'm very sorry, but I can't assist with that request.",
			refusal: "I'm very sorry, but I can't assist with that request.",
			finish: "stop",
			usage: [65, 13, 0, 0],
			model: "gpt-4o-2024-08-06",
		},
	},
	"openai-chat-404-model": { preset: "openai", expected: { error: { code: "model_not_found", retryable: false } } },
	"openai-401": { preset: "openai-responses", expected: { error: { code: "unauthorized", retryable: false } } },
	"azure-chat-stream-tool-prompt-filter-chunk": {
		preset: "azure",
		expected: {
			calls: [{ name: "weather", vendorId: "call_DA9IQQ5D4VQYL6AOoVPUb3Kg", args: { location: "Florence, Italy" } }],
			finish: "tool-calls",
			usage: [145, 90, 0, 64],
			model: "gpt-5-mini-2025-08-07",
		},
	},
	"azure-chat-prompt-filtered": { preset: "azure", expected: { error: { code: "content_filter", retryable: false } } },
	"azure-chat-429-retry-after": {
		preset: "azure",
		expected: { error: { code: "rate_limited", retryable: true, retryAfterMs: 1000 } },
	},
	"openai-responses-stream-loop-1": {
		preset: "openai-responses",
		expected: {
			calls: [{ name: "multiply", vendorId: "call_sVidsfFJ6zlzRpelrPkTPlpd", args: { a: 1231, b: 2331 } }],
			finish: "tool-calls",
			usage: [58, 23, 0, 0],
			model: "gpt-5.5-2026-04-23",
		},
	},
	"openai-responses-stream-loop-2": {
		preset: "openai-responses",
		expected: {
			text: "1231 × 2331 = **2,869,461**",
			finish: "stop",
			usage: [94, 18, 0, 0],
			model: "gpt-5.5-2026-04-23",
			// The message's phase, which goes back with it.
			reasoning: [""],
		},
	},
	"openai-responses-reasoning-between-calls": {
		preset: "openai-responses",
		expected: {
			calls: [
				{ name: "db_lookup", vendorId: "call_WbWwKw4J6EXQ7Sn93fgmuZe3", args: { key: "begin" } },
				{ name: "db_lookup", vendorId: "call_et3hsNc1ipjCfuBylmAwqkEy", args: { key: "value" } },
				{ name: "db_lookup", vendorId: "call_J4rpPS0QEz4CIdsVGKEKG6k3", args: { key: "the value 7" } },
				{ name: "db_lookup", vendorId: "call_gd2cYY61KkICSgB6qNd7ZC66", args: { key: "Begin with the value 7." } },
				{ name: "db_lookup", vendorId: "call_nInKAmdZObYpqc3OR3WC61K3", args: { key: "start2" } },
			],
			finish: "tool-calls",
			usage: [532, 119, 0, 17],
			model: "gpt-5.5-2026-04-23",
			reasoning: [""],
		},
	},
	"openai-responses-stream-failed-quota": {
		preset: "openai-responses",
		expected: { error: { code: "quota_exceeded", retryable: false } },
	},
	"openai-429-insufficient-quota": {
		preset: "openai-responses",
		expected: { error: { code: "quota_exceeded", retryable: false } },
	},
	"anthropic-stream-thinking-tool-use": {
		preset: "anthropic",
		expected: {
			calls: [{ name: "weather", vendorId: "toolu_017cWttjFBXZWw8LkJbhpqm1", args: { location: "Florence, Italy" } }],
			finish: "tool-calls",
			usage: [424, 109, 0],
			model: "claude-sonnet-4-20250514",
			reasoning: [
				'The user is asking for weather information for Florence, Italy. I have a weather function available that takes a location parameter. The location is clearly specified as "Florence, Italy" so I have all the required parameters to make the function call.',
			],
		},
	},
	"anthropic-stream-parallel-tool-use-1": {
		preset: "anthropic",
		expected: {
			text: "I'll add and multiply the numbers 2 and 3 for you.",
			calls: [
				{ name: "add", vendorId: "toolu_01UYxUYC2zRPY8wiutnF48eP", args: { a: 2, b: 3 } },
				{ name: "multiply", vendorId: "toolu_01VaRx1jpWCvPhi7L4kywAcd", args: { a: 2, b: 3 } },
			],
			finish: "tool-calls",
			usage: [502, 137, 0],
			model: "claude-sonnet-4-20250514",
		},
	},
	"anthropic-stream-redacted-thinking": {
		preset: "anthropic",
		expected: {
			text: "I notice that you've sent what appears to be some kind of test string or command. I don't have any special \"magic string\" triggers or backdoor commands that would expose internal systems or change my behavior.\n\nI'm Claude, an AI assistant created by Anthropic to be helpful, harmless, and honest. How can I assist you today with a legitimate task or question?",
			finish: "stop",
			usage: [92, 189, 0],
			model: "claude-sonnet-4-5-20250929",
			reasoning: ["", ""],
		},
	},
	"anthropic-truncated-tool-use": {
		preset: "anthropic",
		expected: {
			text: "Okay, let's get the weather and do that calculation.",
			calls: [
				{ name: "get_weather", vendorId: "toolu_bdrk_01FqpV1qX3bJ4bczkdtMhdGz", unusable: "cut_off" },
				{ name: "calculate", vendorId: "toolu_bdrk_01KMAmxrwkK8jh8h6YNQ495y", unusable: "cut_off" },
			],
			finish: "length",
			usage: [435, 100],
			model: "claude-3-sonnet-20240229",
		},
	},
	"anthropic-400-prompt-too-long": {
		preset: "anthropic",
		expected: { error: { code: "context_too_long", retryable: false } },
	},
	"anthropic-404-model": { preset: "anthropic", expected: { error: { code: "model_not_found", retryable: false } } },
	"anthropic-stream-tool-no-args": {
		preset: "anthropic",
		expected: {
			text: "I'll update the issue list for you.",
			calls: [{ name: "updateIssueList", vendorId: "toolu_01QE1WLsSVp5hy5Q3GmGTmjP", args: {} }],
			finish: "tool-calls",
			usage: [565, 48, 0],
			model: "claude-sonnet-4-5-20250929",
		},
	},
	"anthropic-stream-spliced": {
		preset: "anthropic",
		expected: {
			calls: [{ name: "test-tool", vendorId: "toolu_second", args: { value: "Sparkle Day" } }],
			finish: "tool-calls",
			usage: [17, 65],
			model: "claude-3-haiku-20240307",
			reasoning: ["Let me call the tool."],
		},
	},
	"anthropic-529-overloaded": { preset: "anthropic", expected: { error: { code: "overloaded", retryable: true } } },
	"anthropic-stream-overloaded-midway": {
		preset: "anthropic",
		expected: { error: { code: "overloaded", retryable: true } },
	},
	"anthropic-400-tool-result-missing": {
		preset: "anthropic",
		expected: { error: { code: "invalid_request", retryable: false } },
	},
	"deepseek-chat-stream-reasoning-tool": {
		preset: "deepseek",
		expected: {
			calls: [{ name: "weather", vendorId: "call_00_ioIn7yN9p1ZOMNpDLwd4MgAF", args: { location: "San Francisco" } }],
			finish: "tool-calls",
			usage: [339, 83, 320, 39],
			model: "deepseek-reasoner",
			reasoning: [
				'The user is asking for the weather in San Francisco. I need to use the weather tool to get this information. Let me invoke the weather tool with the location parameter set to "San Francisco".',
			],
		},
	},
	"deepseek-chat-400-context": {
		preset: "deepseek",
		expected: { error: { code: "context_too_long", retryable: false } },
	},
	"deepseek-responses-400-tool-output-missing": {
		preset: "openai-responses",
		expected: { error: { code: "invalid_request", retryable: false } },
	},
	"mistral-chat-stream-tool-no-index": {
		preset: "mistral",
		expected: {
			calls: [{ name: "get_weather", vendorId: "qDEcl0n92", args: { city: "San Francisco" } }],
			finish: "tool-calls",
			usage: [96, 23],
			model: "mistral-small-latest",
		},
	},
	"mistral-chat-thinking-list-content": {
		preset: "mistral",
		expected: {
			text: "144",
			finish: "stop",
			usage: [31, 66, 0],
			model: "mistral-small-latest",
			reasoning: [
				"The user is asking for the product of 12 multiplied by 12. I know that 12 times 12 is a basic multiplication fact. Let me calculate it:\n\n12 * 12 = 144\n\nSo, the answer is 144.",
			],
		},
	},
	"mistral-chat-stream-empty-name": {
		preset: "mistral",
		expected: {
			calls: [
				{
					name: "webSearchTool",
					vendorId: "chatcmpl-tool-9f149c74c42f265b",
					args: { query: "current Berlin weather" },
				},
			],
			finish: "tool-calls",
			usage: [171, 14, 128],
			model: "zai-glm-5-2",
		},
	},
	"groq-chat-400-tool-use-failed": {
		preset: "groq",
		expected: { error: { code: "tool_use_failed", retryable: false } },
	},
	"groq-chat-stream-tool-use-failed": {
		preset: "groq",
		expected: { error: { code: "tool_use_failed", retryable: false } },
	},
	"groq-chat-no-content": {
		preset: "groq",
		expected: {
			calls: [
				{
					name: "get_something_by_name",
					vendorId: "fc_311ba17b-89f9-48d3-8fd9-7e74a1264855",
					args: { name: "test" },
				},
			],
			finish: "tool-calls",
			usage: [301, 52, undefined, 22],
			model: "openai/gpt-oss-120b",
			reasoning: ['We need to call with correct param: name field. Use some name, e.g., "test".'],
		},
	},
	"openrouter-stream-parallel-tools": {
		preset: "openrouter",
		expected: {
			calls: [
				{ name: "add", vendorId: "toolu_bdrk_01FS6PPeAPQTDNqXK3a3eRHr", args: { a: 2, b: 3 } },
				{ name: "multiply", vendorId: "toolu_bdrk_01YRxwgSi9gzNNtQ9Bz5AX6u", args: { a: 2, b: 3 } },
			],
			finish: "tool-calls",
			usage: [685, 120, 0, 0],
			model: "anthropic/claude-4.5-haiku-20251001",
		},
	},
	"openrouter-429-upstream": { preset: "openrouter", expected: { error: { code: "rate_limited", retryable: true } } },
	"openrouter-stream-error-and-length": {
		preset: "openrouter",
		expected: { error: { code: "invalid_request", retryable: false } },
	},
	"openrouter-tool-arguments-missing": {
		preset: "openrouter",
		expected: {
			text: "I'll search for education content for you.",
			calls: [{ name: "find_education_content", vendorId: "toolu_vrtx_015QAXScZzRDPttiPoc34AdD", args: {} }],
			finish: "tool-calls",
			usage: [568, 48],
			model: "anthropic/claude-sonnet-4.5",
		},
	},
	"openrouter-400-context": {
		preset: "openrouter",
		expected: { error: { code: "context_too_long", retryable: false } },
	},
	"kimi-stream-id-and-name-repeated": {
		preset: "openrouter",
		expected: {
			calls: [{ name: "llm_version", vendorId: "0", args: {} }],
			finish: "tool-calls",
			usage: [57, 17, 0, 0],
			model: "moonshotai/kimi-k2",
		},
	},
	"kimi-stream-arguments-key-missing": {
		preset: "openrouter",
		expected: {
			calls: [{ name: "llm_version", vendorId: "llm_version:0", args: {} }],
			finish: "tool-calls",
			usage: [56, 12, 0, 0],
			model: "moonshotai/kimi-k2",
		},
	},
	"gemini-compat-tool-id-empty": {
		preset: "gemini",
		expected: {
			calls: [{ name: "get_current_time", vendorId: "", args: {} }],
			finish: "tool-calls",
			// 109 in all, of which 35 went in: the thinking is only in the total.
			usage: [35, 74],
			model: "gemini-2.5-pro-preview-05-06",
			// The message's thought signature, which goes back with it.
			reasoning: [""],
		},
	},
	"gemini-429-retry-info": {
		preset: "gemini",
		expected: { error: { code: "rate_limited", retryable: true, retryAfterMs: 48_000 } },
	},
	"ollama-cloud-stream-tool": {
		preset: "ollama",
		expected: {
			calls: [{ name: "weather", vendorId: "call_5zat23rg", args: { latitude: "48.8575", longitude: "2.3514" } }],
			finish: "tool-calls",
			usage: [300, 45],
			model: "gpt-oss:120b",
			reasoning: ["We need to fetch weather for Paris coordinates. Use function."],
		},
	},
	"llamacpp-stream-tool": {
		preset: "llamacpp",
		expected: {
			calls: [{ name: "weather", vendorId: "g2KOIWzn722hzEaZQmNVP4roUPEiYafL", args: { location: "Florence, Italy" } }],
			finish: "tool-calls",
			usage: [139, 41],
			model: "openai/gpt-oss-20b",
			reasoning: ["User wants weather in Florence, Italy. We can use the weather function."],
		},
	},
	"qwen-chat-stream-tool-id-empty": {
		preset: "qwen",
		expected: {
			calls: [{ name: "weather", vendorId: "call_eee11723464a4b9eb8cee71d", args: { location: "San Francisco" } }],
			finish: "tool-calls",
			usage: [295, 22, 0],
			model: "qwen3-max",
		},
	},
	"xai-chat-stream-parallel-tools": {
		preset: "xai",
		expected: {
			calls: [
				{ name: "add", vendorId: "call_55070233", args: { a: 2, b: 3 } },
				{ name: "multiply", vendorId: "call_12016531", args: { a: 2, b: 3 } },
			],
			finish: "tool-calls",
			// 68 tokens of answer and 136 of thinking: 636 in all, of which 432 went in.
			usage: [432, 204, 153, 136],
			model: "grok-4-fast-reasoning",
		},
	},
	"workersai-native-tool-object-args": {
		preset: "workers-ai",
		expected: {
			calls: [{ name: "get_weather", vendorId: "", args: { location: "Paris" } }],
			finish: "tool-calls",
			usage: [151, 23],
		},
	},
	"workersai-native-tool-string-args": {
		preset: "workers-ai",
		expected: {
			calls: [
				{
					name: "get_weather",
					vendorId: "chatcmpl-tool-926d0e07eecd4665bfde18c2d0dd213f",
					args: { location: "Tokyo" },
				},
			],
			finish: "tool-calls",
			usage: [160, 17],
		},
	},
	"derived-openai-chat-stream-truncated-args": {
		preset: "openai",
		expected: {
			calls: [{ name: "add", vendorId: "call_ehIWdjL1abZk1h8FWGLQ0Hie", unusable: "cut_off" }],
			finish: "length",
			usage: [106, 50, 0, 0],
			model: "gpt-4o-2024-08-06",
		},
	},
};
