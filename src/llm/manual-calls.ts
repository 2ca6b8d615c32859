import { inputOf } from "./call-input";
import { jsonFault } from "./json-fault";

/** A call that a message spells out. */
interface SpelledCall {
	readonly name: string;
	readonly arguments: string;
}

export interface SpelledCalls {
	readonly calls: readonly SpelledCall[];
	/** What is wrong, one sentence a line; then nothing is called. */
	readonly problems: readonly string[];
}

/** A line that calls a tool: `/name`, alone or with what follows it. `/etc/hosts` is none. */
const callLine = /^[ \t]*\/([A-Za-z_][\w.-]*)(?=\s|$)/;

/** Nobody reads more of them at once, and each costs a look at the whole message. */
const maxProblems = 20;

/** Finds the lines `/tool_name {json}` of a message. The JSON may begin on the next line and span several; without any it is `{}`. */
export function spelledCalls(message: string): SpelledCalls {
	const calls: SpelledCall[] = [];
	const problems: string[] = [];
	for (let at = 0; at < message.length && problems.length < maxProblems; at = lineEnd(message, at) + 1) {
		const name = callLine.exec(message.slice(at, lineEnd(message, at)))?.[1];
		if (!name) continue;
		const afterName = message.indexOf(`/${name}`, at) + name.length + 1;
		const json = jsonAfter(message, afterName);
		const problem = json.text === "" ? undefined : problemOf(message, name, json);
		if (problem) problems.push(problem);
		else calls.push({ name, arguments: json.text || "{}" });
		// The next call is looked for on the line after the JSON's last one.
		at = Math.max(at, json.end - 1);
	}
	return { calls, problems };
}

interface JsonText {
	readonly text: string;
	readonly start: number;
	/** Behind the last character. */
	readonly end: number;
}

/** The rest of the line, or, when that opens an object, everything up to the brace that closes it. */
function jsonAfter(message: string, from: number): JsonText {
	const restEnd = lineEnd(message, from);
	const rest = message.slice(from, restEnd).trim();
	const start = /\S/.exec(message.slice(from))?.index ?? 0;
	const opens = message[from + start] === "{";
	if (rest === "" && !opens) return { text: "", start: from, end: restEnd };
	if (!opens) return { text: rest, start: from + start, end: restEnd };
	// No JSON goes past the line where the next call begins, so the brace is looked for up to there; behind it, the line must be empty.
	const limit = nextCall(message, from + start);
	const close = closingBrace(message, from + start, limit);
	const end = close === undefined ? limit : lineEnd(message, close);
	return { text: message.slice(from + start, end).trimEnd(), start: from + start, end };
}

function closingBrace(message: string, open: number, limit: number): number | undefined {
	let depth = 0;
	let inString = false;
	for (let index = open; index < limit; index++) {
		const unit = message[index];
		if (unit === '"') inString = !inString;
		else if (inString && unit === "\\") index++;
		else if (!inString && unit === "{") depth++;
		else if (!inString && unit === "}" && --depth === 0) return index;
	}
	return undefined;
}

function nextCall(message: string, from: number): number {
	for (let at = lineEnd(message, from) + 1; at < message.length; at = lineEnd(message, at) + 1) {
		if (callLine.test(message.slice(at, lineEnd(message, at)))) return at - 1;
	}
	return message.length;
}

function lineEnd(message: string, from: number): number {
	const end = message.indexOf("\n", from);
	return end === -1 ? message.length : end;
}

function problemOf(message: string, name: string, { text, start }: JsonText): string | undefined {
	const input = inputOf(text, false);
	if (input.ok) return undefined;
	const isObject = input.reason !== "not_an_object";
	const before = message.slice(0, start + (isObject ? jsonFault(text) : 0)).split("\n");
	const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
	return `What follows /${name} is no ${isObject ? "valid JSON" : "JSON object"} (${place} of the message).`;
}
