import type { ChatQuirks } from "./openai-chat-quirks";
import type { Dialect } from "./provider";

/** A vendor: data laid over one of the dialects. */
export interface Preset {
	readonly dialect: Dialect;
	/** Absent where each customer has another; then it must be given. */
	readonly baseUrl?: string;
	/** The deployment's variable that holds the key; absent where none is needed. */
	readonly keyVariable?: `${string}_API_KEY`;
	/** The header for the key, where it is not the dialect's own. */
	readonly keyHeader?: string;
	readonly defaultModel?: string;
	readonly quirks?: ChatQuirks;
}

const chat = (baseUrl: string, keyVariable?: `${string}_API_KEY`, quirks?: ChatQuirks): Preset => ({
	dialect: "openai-chat",
	baseUrl,
	...(keyVariable && { keyVariable }),
	...(quirks && { quirks }),
});

/** In thinking mode, both refuse a call in the history that comes without its thinking: https://api-docs.deepseek.com/guides/thinking_mode */
const thinksWithCalls = (otherwise: string): ChatQuirks => ({
	emptyContent: "",
	fieldWithCalls: { name: "reasoning_content", otherwise },
});

export const presets: Readonly<Record<string, Preset>> = {
	manual: { dialect: "manual", defaultModel: "manual" },
	"workers-ai": { dialect: "workers-ai", defaultModel: "@cf/meta/llama-3.3-70b-instruct-fp8-fast" },
	anthropic: { dialect: "anthropic", baseUrl: "https://api.anthropic.com", keyVariable: "ANTHROPIC_API_KEY" },
	"openai-responses": {
		dialect: "openai-responses",
		baseUrl: "https://api.openai.com/v1",
		keyVariable: "OPENAI_API_KEY",
	},
	openai: chat("https://api.openai.com/v1", "OPENAI_API_KEY", {
		maxTokensField: "max_completion_tokens",
		callId: /^[\x21-\x7e]{1,40}$/,
	}),
	azure: { dialect: "openai-chat", keyVariable: "AZURE_API_KEY", keyHeader: "api-key" },
	cerebras: chat("https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
	deepseek: chat("https://api.deepseek.com", "DEEPSEEK_API_KEY", thinksWithCalls("")),
	fireworks: chat("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
	// https://ai.google.dev/gemini-api/docs/thought-signatures
	gemini: chat("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", {
		messageFields: ["extra_content"],
		callFields: ["extra_content"],
		unsignedCall: {
			models: /gemini-(?!1|2)\d/,
			fields: { extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } },
		},
	}),
	groq: chat("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
	mistral: chat("https://api.mistral.ai/v1", "MISTRAL_API_KEY", {
		callId: /^[A-Za-z0-9]{9}$/,
		countsUnasked: true,
		emptyContent: "",
		namesResults: true,
		answersToolsFirst: true,
	}),
	moonshot: chat("https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", thinksWithCalls(" ")),
	openrouter: chat("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", { messageFields: ["reasoning_details"] }),
	qwen: chat("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"),
	together: chat("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
	xai: chat("https://api.x.ai/v1", "XAI_API_KEY"),
	llamacpp: chat("http://127.0.0.1:8080/v1"),
	lmstudio: chat("http://127.0.0.1:1234/v1"),
	ollama: chat("http://127.0.0.1:11434/v1"),
	vllm: chat("http://127.0.0.1:8000/v1"),
};

export const findPreset = (name: string): Preset | undefined =>
	Object.hasOwn(presets, name) ? presets[name] : undefined;
