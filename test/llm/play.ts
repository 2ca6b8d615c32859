import { presets } from "../../src/llm/presets";
import { ModelError, type ModelReply, type ModelRequest, type Provider } from "../../src/llm/provider";
import { resolveModel } from "../../src/llm/resolve";

/** A vendor's answer: a stream as text, or a body. */
export interface Recording {
	readonly preset: string;
	readonly status?: number | undefined;
	readonly headers?: Readonly<Record<string, string>> | undefined;
	readonly sse?: string | undefined;
	readonly body?: unknown;
}

/** What an answer must come to, written by hand. */
export interface Expected {
	readonly text?: string;
	readonly calls?: readonly ExpectedCall[];
	readonly finish?: ModelReply["finishReason"];
	/** Input, output, and where the vendor says them: cached input, reasoning. */
	readonly usage?: readonly [number, number, (number | undefined)?, number?];
	readonly model?: string;
	readonly reasoning?: readonly string[];
	readonly refusal?: string;
	readonly error?: { code: string; retryable: boolean; retryAfterMs?: number };
}

interface ExpectedCall {
	readonly name: string;
	readonly vendorId: string;
	readonly args?: Readonly<Record<string, unknown>>;
	readonly unusable?: "invalid_json" | "cut_off" | "not_an_object";
}

export const question: ModelRequest = {
	model: "some-model",
	messages: [{ role: "user", content: "Hello?" }],
	tools: [],
};

/** Everything that a provider says. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
	const collected: Item[] = [];
	for await (const item of items) collected.push(item);
	return collected;
}

/** Plays a recording to the provider that its preset makes, cut into pieces of some bytes, and tells what came of it. */
export async function play(recording: Recording, pieceSize = Number.POSITIVE_INFINITY): Promise<Expected> {
	const provider = await providerOf(recording, pieceSize);
	let text = "";
	try {
		for await (const event of provider.chat(question, new AbortController().signal)) {
			if (event.type === "text-delta") text += event.text;
			if (event.type === "finish") return outcomeOf(event.reply, text);
		}
		return {};
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		const { code, retryable, retryAfterMs } = error;
		return { error: { code, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) } };
	}
}

/** The provider of the recording's preset, whose every request is answered with the recording. */
export async function providerOf(
	recording: Recording,
	pieceSize: number,
	onBody: (body: string) => void = () => {},
): Promise<Provider> {
	let count = 0;
	const isWhole = recording.sse === undefined && pieceSize === Number.POSITIVE_INFINITY;
	const { provider } = await resolveModel({
		environment: {
			model: `${recording.preset}:some-model`,
			baseUrl: presets[recording.preset]?.baseUrl ?? "https://models.example/v1",
			apiKey: "key-of-a-test",
			keys: () => undefined,
		},
		secret: () => undefined,
		fetch: async (_, { body }) => {
			onBody(String(body));
			return responseOf(recording, pieceSize);
		},
		ai: { run: async () => (isWhole ? recording.body : streamOf(recording, pieceSize)) },
		allowLoopback: false,
		newId: () => `call-${++count}`,
	});
	return provider;
}

const responseOf = (recording: Recording, pieceSize: number) =>
	new Response(streamOf(recording, pieceSize), { status: recording.status ?? 200, headers: recording.headers ?? {} });

function streamOf({ sse, body }: Recording, pieceSize: number): ReadableStream<Uint8Array> {
	const bytes = new TextEncoder().encode(sse ?? (typeof body === "string" ? body : JSON.stringify(body)));
	let at = 0;
	return new ReadableStream({
		pull(controller) {
			if (at >= bytes.length) return controller.close();
			controller.enqueue(bytes.slice(at, Math.min(bytes.length, at + pieceSize)));
			at += pieceSize;
		},
	});
}

/** The reply in the form of the tables. The streamed text must be the reply's. */
function outcomeOf(reply: ModelReply, streamed: string): Expected {
	const { usage } = reply;
	return {
		...(streamed !== "" && {
			text: streamed === reply.content ? streamed : `${reply.content} (streamed: ${streamed})`,
		}),
		...(reply.toolCalls.length > 0 && {
			calls: reply.toolCalls.map(({ name, vendorId, input }) => ({
				name,
				vendorId,
				...(input.ok ? { args: input.value } : { unusable: input.reason }),
			})),
		}),
		finish: reply.finishReason,
		...(usage && {
			usage: trimmed(usage.inputTokens, usage.outputTokens, usage.cachedInputTokens, usage.reasoningTokens),
		}),
		...(reply.model && { model: reply.model }),
		...(reply.reasoning.length > 0 && { reasoning: reply.reasoning.map(({ text }) => text) }),
		...(reply.refusal && { refusal: reply.refusal }),
	};
}

function trimmed(...numbers: [number, number, number | undefined, number | undefined]): NonNullable<Expected["usage"]> {
	const [input, output, cached, reasoning] = numbers;
	if (reasoning !== undefined) return [input, output, cached, reasoning];
	return cached === undefined ? [input, output] : [input, output, cached];
}
