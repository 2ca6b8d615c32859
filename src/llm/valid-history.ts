import type { ModelMessage, ModelToolCall } from "./provider";
import type { AssistantMessage } from "./reasoning";

type ToolMessage = Extract<ModelMessage, { role: "tool" }>;

/** A conversation that every vendor takes: the system's words apart, then messages in an order nobody refuses. */
export interface ValidHistory {
	/** All system messages as one text, empty when there are none. */
	readonly system: string;
	readonly messages: readonly Exclude<ModelMessage, { role: "system" }>[];
}

/**
 * Repairs a conversation. After it: each call has exactly one result, directly after its message and in the order of the calls;
 * no result is without its call; no assistant message is empty; user and assistant take turns; the first and the last
 * word are not the assistant's. A history that is valid already comes back unchanged.
 */
export function validHistory(messages: readonly ModelMessage[]): ValidHistory {
	const system = messages.flatMap(({ role, content }) => (role === "system" && content !== "" ? [content] : []));
	return { system: system.join("\n\n"), messages: withBothEnds(merged(withResults(messages))) };
}

/** Puts each call's result right after it: the first one that came later, or word that there is none. */
function withResults(messages: readonly ModelMessage[]): ValidHistory["messages"] {
	const resultAfter = resultFinder(messages);
	const seen = new Set<string>();
	return messages.flatMap((message, index): ValidHistory["messages"] => {
		if (message.role === "system" || message.role === "tool") return [];
		const isBlank = message.content.trim() === "";
		if (message.role === "user") return [isBlank ? { ...message, content: "(empty)" } : message];
		const toolCalls = message.toolCalls.filter(({ id }) => !seen.has(id) && seen.add(id));
		if (toolCalls.length === 0 && isBlank) return [];
		const results = toolCalls.map((call) => resultAfter(index, call.id) ?? missingResult(call));
		return [{ ...message, toolCalls }, ...results.map(worded)];
	});
}

function resultFinder(messages: readonly ModelMessage[]): (index: number, callId: string) => ToolMessage | undefined {
	const results = new Map<string, { at: number; message: ToolMessage }[]>();
	for (const [at, message] of messages.entries()) {
		if (message.role !== "tool") continue;
		const known = results.get(message.callId);
		if (known) known.push({ at, message });
		else results.set(message.callId, [{ at, message }]);
	}
	return (index, callId) => results.get(callId)?.find(({ at }) => at > index)?.message;
}

/** Several vendors refuse a result without words. */
const worded = (result: ToolMessage): ToolMessage =>
	result.content.trim() === "" ? { ...result, content: "(no output)" } : result;

const missingResult = ({ id, name }: ModelToolCall): ToolMessage => ({
	role: "tool",
	callId: id,
	name,
	content: "interrupted: the outcome is unknown",
	isError: true,
});

/** Joins neighbours of one role, which several vendors refuse. An assistant's message with calls has its results between. */
function merged(messages: ValidHistory["messages"]): ValidHistory["messages"] {
	const joined: Exclude<ModelMessage, { role: "system" }>[] = [];
	for (const message of messages) {
		const last = joined.at(-1);
		if (message.role === "user" && last?.role === "user")
			joined[joined.length - 1] = { ...message, content: both(last, message) };
		else if (message.role === "assistant" && last?.role === "assistant")
			joined[joined.length - 1] = together(last, message);
		else joined.push(message);
	}
	return joined;
}

const both = (first: { content: string }, second: { content: string }) =>
	[first.content, second.content].filter((content) => content.trim() !== "").join("\n\n");

const together = (first: AssistantMessage, second: AssistantMessage): AssistantMessage => ({
	...second,
	content: both(first, second),
	reasoning: [...first.reasoning, ...second.reasoning],
});

function withBothEnds(messages: ValidHistory["messages"]): ValidHistory["messages"] {
	const first =
		messages[0]?.role === "user" ? [] : [{ role: "user", content: "(Earlier messages are left out.)" } as const];
	const last = messages.at(-1)?.role === "assistant" ? [{ role: "user", content: "Go on." } as const] : [];
	return [...first, ...messages, ...last];
}
