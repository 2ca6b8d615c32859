import { describe, expect, it } from "vitest";
import { endpoint, type Fetch } from "../../src/llm/exchange";
import { openAiChat } from "../../src/llm/openai-chat";
import type { ModelError, ModelEvent } from "../../src/llm/provider";
import { delta, sse, unended } from "../fixtures/llm/stream-text";
import { collect, question } from "./play";

const key = { name: "OPENAI_API_KEY", value: "key-of-a-test" };

async function ask(fetch: Fetch, signal = new AbortController().signal): Promise<ModelEvent[]> {
	const provider = openAiChat({
		vendor: "openai",
		baseUrl: "https://models.example/v1",
		key,
		fetch,
		newId: () => "call-1",
	});
	return await collect(provider.chat(question, signal));
}

const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
	asked.then(
		() => undefined,
		(error: unknown) => error,
	);

describe("asking over HTTP", () => {
	it("sends the key in its header, follows no redirect by itself, and passes the signal on", async () => {
		const sent: { url: string; init: RequestInit }[] = [];
		const { signal } = new AbortController();
		await ask(async (url, init) => {
			sent.push({ url, init });
			return new Response(sse(delta({ content: "Hi" })));
		}, signal);
		expect(sent).toMatchObject([
			{
				url: "https://models.example/v1/chat/completions",
				init: { method: "POST", redirect: "manual", signal, headers: { authorization: "Bearer key-of-a-test" } },
			},
		]);
	});

	it("calls fetch by itself: the platform's refuses to be another object's method", async () => {
		const owners: unknown[] = [];
		await ask(async function (this: unknown) {
			owners.push(this);
			return new Response(sse(delta({ content: "Hi" })));
		});
		expect(owners).toEqual([undefined]);
	});

	it("refuses a redirect without asking its target", async () => {
		let count = 0;
		const error = await failureOf(
			ask(async () => {
				count++;
				return new Response(null, { status: 307, headers: { location: "https://thief.example/" } });
			}),
		);
		expect(error).toMatchObject({ code: "endpoint_refused", retryable: false });
		expect(count).toBe(1);
	});

	it("says which host was out of reach, and nothing that the cause says", async () => {
		const error = await failureOf(ask(() => Promise.reject(new TypeError("fetch failed: key-of-a-test"))));
		expect(error).toMatchObject({
			code: "network",
			retryable: true,
			message: "openai at models.example could not be reached.",
		});
	});

	it("takes the key out of what a vendor repeats, in a status as in a stream", async () => {
		const body = { error: { message: "Incorrect API key provided: key-of-a-test", code: "invalid_api_key" } };
		const answers = [Response.json(body, { status: 401 }), new Response(unended(body)), Response.json(body)];
		for (const answer of answers) {
			const error = (await failureOf(ask(async () => answer))) as ModelError;
			expect(error.message).toContain("[secret:OPENAI_API_KEY]");
			expect(error.message).not.toContain("key-of-a-test");
		}
	});

	it("calls a connection that breaks off a cut stream", async () => {
		const error = await failureOf(
			ask(async () => {
				const broken = new ReadableStream({
					pull: (controller) => controller.error(new TypeError("terminated")),
				});
				return new Response(broken);
			}),
		);
		expect(error).toMatchObject({ code: "stream_cut", retryable: true });
	});

	it("keeps the status of an error whose body breaks off", async () => {
		const broken = () => new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });
		const error = await failureOf(ask(async () => new Response(broken(), { status: 529 })));
		expect(error).toMatchObject({ code: "overloaded", status: 529 });
	});

	it("stops an answer that never ends", async () => {
		const line = new TextEncoder().encode(unended(delta({ content: "x".repeat(1_000_000) })));
		const error = await failureOf(
			ask(async () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(line) }))),
		);
		expect(error).toMatchObject({ code: "bad_response", retryable: false });
	});

	it("rejects with the signal's reason when it is aborted, while asking and while reading, and lets the stream go", async () => {
		const reason = new Error("cancelled");
		expect(await failureOf(ask(() => Promise.reject(new TypeError("aborted")), AbortSignal.abort(reason)))).toBe(
			reason,
		);

		const controller = new AbortController();
		let isCancelled = false;
		const silent = new ReadableStream({
			start: (stream) => stream.enqueue(new TextEncoder().encode(unended(delta({ content: "Hi" })))),
			cancel: () => {
				isCancelled = true;
			},
		});
		const reading = failureOf(ask(async () => new Response(silent), controller.signal));
		setTimeout(() => controller.abort(reason), 5);
		expect(await reading).toBe(reason);
		expect(isCancelled).toBe(true);
	});

	it("lets the stream go when the reader has had enough", async () => {
		let isCancelled = false;
		const endless = new ReadableStream({
			pull: (stream) => stream.enqueue(new TextEncoder().encode(unended(delta({ content: "Hi" })))),
			cancel: () => {
				isCancelled = true;
			},
		});
		const fetch = async () => new Response(endless);
		const provider = openAiChat({
			vendor: "openai",
			baseUrl: "https://models.example/v1",
			fetch,
			newId: () => "call-1",
		});
		for await (const event of provider.chat(question, new AbortController().signal)) {
			expect(event).toEqual({ type: "text-delta", text: "Hi" });
			break;
		}
		expect(isCancelled).toBe(true);
	});
});

describe("the address of an endpoint", () => {
	it.each([
		["https://models.example/v1", "https://models.example/v1/chat"],
		["https://models.example/v1//", "https://models.example/v1/chat"],
		["https://models.example", "https://models.example/chat"],
		["https://x.azure.example/openai?api-version=1", "https://x.azure.example/openai/chat?api-version=1"],
	])("under %s is %s", (baseUrl, url) => {
		expect(endpoint(baseUrl, "/chat")).toBe(url);
	});
});
