import { readAnswer } from "./answer";
import { isRecord } from "./json";
import { ModelError, type ModelEvent, type ModelRequest, type Provider } from "./provider";
import { vendorError } from "./vendor-error";
import { workersAiRequest } from "./workers-ai-request";
import { workersAiTranslator } from "./workers-ai-response";

/** The part of the `AI` binding that is used. */
export interface AiBinding {
	run(model: string, inputs: Record<string, unknown>, options: { signal?: AbortSignal }): Promise<unknown>;
}

export interface WorkersAiConfig {
	readonly vendor: string;
	readonly ai: AiBinding;
	readonly newId: () => string;
}

/** Cloudflare's own models, through the binding: no key, no address. */
export function workersAi(config: WorkersAiConfig): Provider {
	return { dialect: "workers-ai", chat: (request, signal) => ask(config, request, signal) };
}

async function* ask(
	{ vendor, ai, newId }: WorkersAiConfig,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
	const translator = workersAiTranslator({ vendor, newId });
	const answer = await run(ai, request, { vendor, signal });
	const body = answer instanceof Response ? answer.body : answer;
	if (body instanceof ReadableStream) {
		for await (const events of readAnswer(body, { vendor, translator, signal })) yield* events;
		return;
	}
	if (!isRecord(body)) throw new ModelError("bad_response", `${vendor} gave no answer.`, { retryable: true });
	const events: ModelEvent[] = [];
	translator.whole(body, events);
	translator.end(events);
	yield* events;
}

async function run(ai: AiBinding, request: ModelRequest, { vendor, signal }: { vendor: string; signal: AbortSignal }) {
	try {
		return await ai.run(request.model, workersAiRequest(request, vendor), { signal });
	} catch (cause) {
		signal.throwIfAborted();
		throw bindingError(vendor, cause);
	}
}

/** HTTP statuses of the codes: https://developers.cloudflare.com/workers-ai/platform/errors/ */
const statuses: Readonly<Record<string, number>> = {
	3003: 400,
	3006: 413,
	3007: 408,
	3008: 408,
	3023: 403,
	3036: 429,
	3039: 400,
	3040: 429,
	3041: 403,
	3042: 404,
	5004: 400,
	5005: 405,
	5007: 400,
	5016: 403,
	5018: 403,
	5019: 405,
};

/** The binding throws plain errors whose text begins with the code, such as `5007: No such model …`. */
function bindingError(vendor: string, cause: unknown): ModelError {
	const message = cause instanceof Error ? cause.message : String(cause);
	const code = /\b(\d{4}): /.exec(message)?.[1] ?? "";
	const status = statuses[code] ?? 500;
	return vendorError({
		vendor,
		status,
		payload: { error: { code, message } },
		now: Date.now(),
		redact: (text) => text,
	});
}
