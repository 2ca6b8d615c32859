/** An OpenAI-compatible model that answers from a script: one entry per request, the last one for all that follow. */
export type ScriptedAnswer =
	| { text: string }
	| { calls: readonly { name: string; arguments: string }[] }
	| { status: number; body: string; headers?: Record<string, string> }
	/** `breaks`: the connection goes after these bytes. */
	| { sse: string; breaks?: boolean }
	| "unreachable";

export interface ScriptedModel {
	readonly requests: {
		messages: { role: string; content?: string | null; tool_call_id?: string; tool_calls?: { id: string }[] }[];
	}[];
	fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
}

/** Answers every request for `…/chat/completions`; hands the rest to `elsewhere`. */
export function scriptedModel(script: readonly ScriptedAnswer[], elsewhere: typeof fetch = refuseAll): ScriptedModel {
	const requests: ScriptedModel["requests"] = [];
	return {
		requests,
		async fetch(input, init) {
			const url = input instanceof Request ? input.url : String(input);
			if (!url.endsWith("/chat/completions")) return await elsewhere(input, init);
			const answer = script[Math.min(requests.length, script.length - 1)];
			requests.push(JSON.parse(String(init?.body)));
			if (!answer) throw new Error("The script is empty.");
			if (answer === "unreachable") throw new TypeError(`Network connection lost: ${url}`);
			if ("status" in answer)
				return new Response(answer.body, { status: answer.status, headers: answer.headers ?? {} });
			const sse = "sse" in answer ? answer.sse : toSse(answer);
			const body = "breaks" in answer && answer.breaks ? brokenStream(sse) : sse;
			return new Response(body, { headers: { "content-type": "text/event-stream" } });
		},
	};
}

function brokenStream(text: string): ReadableStream<Uint8Array> {
	const pieces = [new TextEncoder().encode(text)];
	return new ReadableStream({
		pull(controller) {
			const piece = pieces.shift();
			if (piece) controller.enqueue(piece);
			else controller.error(new TypeError("Network connection lost."));
		},
	});
}

function toSse(answer: Extract<ScriptedAnswer, { text: string } | { calls: readonly unknown[] }>): string {
	const deltas =
		"text" in answer
			? [...answer.text].map((content) => ({ content }))
			: [
					{
						tool_calls: answer.calls.map(({ name, arguments: text }, index) => ({
							index,
							id: `vendor_${index}_${name}`,
							type: "function",
							function: { name, arguments: text },
						})),
					},
				];
	const finish = "text" in answer ? "stop" : "tool_calls";
	const chunks = [
		...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
		{ choices: [{ index: 0, delta: {}, finish_reason: finish }], usage: { prompt_tokens: 5, completion_tokens: 2 } },
	];
	return `${chunks.map((chunk) => `data: ${JSON.stringify({ id: "c", model: "scripted", ...chunk })}\n\n`).join("")}data: [DONE]\n\n`;
}

const refuseAll = async (input: RequestInfo | URL): Promise<Response> => {
	throw new Error(`A test reached for ${String(input)}.`);
};
