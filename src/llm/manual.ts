import { truncateChars } from "../lib/text";
import { inputOf } from "./call-input";
import { listOf, recordOf, textOf } from "./json";
import { spelledCalls } from "./manual-calls";
import type { ModelEvent, ModelMessage, ModelReply, ModelRequest, ModelToolCall, Provider, ToolSpec } from "./provider";

/** The model that is none: it calls the tools that a message spells out, one a line, and answers with their results. */
export function manual({ newId }: { readonly newId: () => string }): Provider {
	return { dialect: "manual", chat: (request, signal) => answer(request, newId, signal) };
}

async function* answer(
	request: ModelRequest,
	newId: () => string,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
	signal.throwIfAborted();
	const { content, calls } = manualAnswer(request);
	for (const text of pieces(content)) yield { type: "text-delta", text };
	const toolCalls = calls.map((call): ModelToolCall => {
		const id = newId();
		return { ...call, id, vendorId: id, input: inputOf(call.arguments, false) };
	});
	yield { type: "finish", reply: reply(content, toolCalls) };
}

const reply = (content: string, toolCalls: readonly ModelToolCall[]): ModelReply => ({
	content,
	toolCalls,
	reasoning: [],
	finishReason: toolCalls.length > 0 ? "tool-calls" : "stop",
	usage: { inputTokens: 0, outputTokens: 0 },
	model: "manual",
});

interface ManualAnswer {
	readonly content: string;
	readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/** What there is to say: results when tools have just answered, otherwise the calls of the last message, or how to spell one. */
function manualAnswer({ messages, tools }: ModelRequest): ManualAnswer {
	const results = messages.slice(messages.findLastIndex(({ role }) => role !== "tool") + 1);
	if (results.length > 0) return { content: inBounds(results.map(resultText).join("\n\n")), calls: [] };
	const message = messages.findLast(({ role }) => role === "user")?.content ?? "";
	const { calls, problems } = spelledCalls(message);
	if (problems.length > 0) return { content: [...problems, "No tool was called."].join("\n"), calls: [] };
	return calls.length > 0 ? { content: "", calls } : { content: explanation(tools), calls: [] };
}

/** An answer has its limit like any model's; the results themselves stand in the turn. */
function inBounds(text: string): string {
	if (JSON.stringify(text).length <= maxAnswerChars) return text;
	const shown = truncateChars(text, maxAnswerChars / 6);
	return `${shown}\n\n[Cut here: the first ${shown.length} of ${text.length} characters. The results stand in the turn's tool calls.]`;
}

/** As JSON, in which a character takes up to six. */
const maxAnswerChars = 540_000;

function resultText(message: ModelMessage): string {
	if (message.role !== "tool") return message.content;
	return `${message.name}${message.isError ? " failed" : ""}:\n${message.content}`;
}

function explanation(tools: readonly ToolSpec[]): string {
	const honest =
		"I am the manual model, not a language model: no model is configured, so I only call the tools that a message spells out.";
	if (tools.length === 0) return `${honest} This agent has no tools.`;
	const shown = tools.find(({ name }) => name === "current_time") ?? tools[0];
	return [
		`${honest} Write one call a line, the arguments as JSON, like this:`,
		shown ? exampleOf(shown) : "",
		`Tools: ${tools.map(({ name }) => name).join(", ")}.`,
	].join("\n\n");
}

const examples: Readonly<Record<string, unknown>> = { number: 1, integer: 1, boolean: true, array: [], object: {} };

/** A line that would call the tool, with a stand-in for each argument that it must have. */
function exampleOf({ name, inputSchema }: ToolSpec): string {
	const properties = recordOf(inputSchema.properties);
	const args = listOf(inputSchema.required).map((key) => {
		const { type, enum: choices } = recordOf(properties[textOf(key)]);
		return [textOf(key), listOf(choices)[0] ?? examples[textOf(type)] ?? "…"];
	});
	return `/${name} ${JSON.stringify(Object.fromEntries(args))}`;
}

/** Lines, long ones cut between characters, so that a reader sees the text grow as with any other model. */
const pieces = (text: string): string[] => text.match(/[^\n]{0,200}\n?/gu)?.filter((piece) => piece !== "") ?? [];
