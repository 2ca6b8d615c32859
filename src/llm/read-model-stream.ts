import { readAnswer } from "./answer";
import { anthropicTranslator } from "./anthropic-response";
import { openAiChatTranslator } from "./openai-chat-response";
import { openAiResponsesTranslator } from "./openai-responses-response";
import type { Dialect, ModelEvent } from "./provider";
import type { Translator, TranslatorContext } from "./translator";
import { workersAiTranslator } from "./workers-ai-response";

/** The dialects that come over a wire. */
export type WireDialect = Exclude<Dialect, "manual">;

const translators: Readonly<Record<WireDialect, (context: TranslatorContext) => Translator>> = {
	"openai-chat": (context) => openAiChatTranslator(context),
	"openai-responses": openAiResponsesTranslator,
	anthropic: anthropicTranslator,
	"workers-ai": workersAiTranslator,
};

/** Reads the bytes of an answer in a dialect, without the request that led to it; one array of events per network read. */
export function readModelStream(
	dialect: WireDialect,
	body: ReadableStream<Uint8Array>,
	context: TranslatorContext,
): AsyncGenerator<ModelEvent[], void, undefined> {
	return readAnswer(body, { vendor: context.vendor, translator: translators[dialect](context) });
}
