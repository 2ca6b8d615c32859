import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manual } from "../../src/llm/manual";
import { spelledCalls } from "../../src/llm/manual-calls";
import type { ModelMessage, ModelRequest } from "../../src/llm/provider";
import { assistant, result, toolCall, user, weather } from "./conversation";
import { collect } from "./play";

const now = { name: "current_time", description: "The time.", inputSchema: { type: "object", properties: {} } };

async function ask(messages: readonly ModelMessage[], tools: ModelRequest["tools"] = [weather, now]) {
	let count = 0;
	const provider = manual({ newId: () => `call-${++count}` });
	const events = await collect(provider.chat({ model: "manual", messages, tools }, new AbortController().signal));
	const finish = events.at(-1);
	if (finish?.type !== "finish") throw new Error("No finish.");
	const streamed = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
	expect(streamed.join("")).toBe(finish.reply.content);
	return { ...finish.reply, streamed };
}

describe("the manual model", () => {
	it("calls what a message spells out, all in one reply and in order", async () => {
		const reply = await ask([
			user('Please:\n/weather {"city": "Oslo"}\n  /current_time\nand then\n/weather {"city":"Bergen"}'),
		]);
		expect(reply).toMatchObject({
			content: "",
			finishReason: "tool-calls",
			usage: { inputTokens: 0, outputTokens: 0 },
			toolCalls: [
				{ id: "call-1", name: "weather", input: { ok: true, value: { city: "Oslo" } } },
				{ id: "call-2", name: "current_time", arguments: "{}", input: { ok: true, value: {} } },
				{ id: "call-3", name: "weather", input: { ok: true, value: { city: "Bergen" } } },
			],
		});
	});

	it("calls tools that it does not know, for the gate to answer", async () => {
		expect((await ask([user("/no_such_tool {}")])).toolCalls).toMatchObject([{ name: "no_such_tool" }]);
	});

	it("answers with the results, the name before each", async () => {
		const calls = [toolCall("own-1", ""), toolCall("own-2", "")];
		const reply = await ask([
			user("/weather"),
			assistant({ calls }),
			result("own-1", "5 °C\nRain"),
			result("own-2", "No city.", true),
		]);
		expect(reply).toMatchObject({ finishReason: "stop", toolCalls: [] });
		expect(reply.content).toBe("weather:\n5 °C\nRain\n\nweather failed:\nNo city.");
	});

	it("says what it is and how to call, with a line that works", async () => {
		const { content } = await ask([user("What is the weather in /etc/hosts?")], [weather]);
		expect(content).toContain("not a language model");
		expect(content).toContain("Tools: weather.");
		const example = content.split("\n").find((line) => line.startsWith("/")) ?? "";
		expect((await ask([user(example)])).toolCalls).toMatchObject([{ name: "weather", input: { ok: true } }]);
		expect((await ask([user("Hello")])).content).toContain("\n/current_time {}\n");
		expect((await ask([user("Hello")], [])).content).toContain("no tools");
	});

	it("says where JSON is broken, and then calls nothing at all", async () => {
		const reply = await ask([user('Do:\n/current_time\n/weather {"city": Oslo}')]);
		expect(reply.toolCalls).toEqual([]);
		expect(reply.content).toBe(
			"What follows /weather is no valid JSON (line 3, column 19 of the message).\nNo tool was called.",
		);
	});

	it("streams its text in pieces", async () => {
		const text = `${"word ".repeat(200)}\n${"👋".repeat(250)}\n\nend`;
		const reply = await ask([user("/weather"), assistant({ calls: [toolCall("own-1", "")] }), result("own-1", text)]);
		expect(reply.streamed.length).toBeGreaterThan(5);
		expect(reply.streamed.every((piece) => piece.isWellFormed())).toBe(true);
		expect(reply.content).toBe(`weather:\n${text}`);
	});

	it("stops when it is aborted", async () => {
		const provider = manual({ newId: () => "call-1" });
		const reason = new Error("cancelled");
		const asked = collect(provider.chat({ model: "manual", messages: [], tools: [] }, AbortSignal.abort(reason)));
		await expect(asked).rejects.toBe(reason);
	});
});

describe("calls in a message", () => {
	it.each([
		['/a {\n  "text": "}{ \\" /b",\n  "n": [1]\n}\n/b', ["a", "b"]],
		['/a\n\n{"n":1}\n/b {}', ["a", "b"]],
		['/a\r\n/b {"n":1}\r\n', ["a", "b"]],
		["/a.b-c_1", ["a.b-c_1"]],
		["text /a\n//b\n/usr/bin/env\n/ c\n/-d", []],
		["", []],
	])("are found in %j", (message, names) => {
		const { calls, problems } = spelledCalls(message);
		expect(problems).toEqual([]);
		expect(calls.map(({ name }) => name)).toEqual(names);
	});

	it.each([
		["/a [1]", "no JSON object", 1, 4],
		["/a some words", "no valid JSON", 1, 4],
		['/a {"n":1} more', "no valid JSON", 1, 12],
		['/a {"n":', "no valid JSON", 1, 9],
		['/a {"n": {\n/b {}', "no valid JSON", 1, 11],
	])("are refused in %j", (message, what, line, column) => {
		expect(spelledCalls(message).problems).toEqual([
			`What follows /a is ${what} (line ${line}, column ${column} of the message).`,
		]);
	});

	it("carry any JSON object, on one line or several", () => {
		const input = fc
			.dictionary(fc.string(), fc.jsonValue())
			// Keys that could reach an object's prototype are refused at any depth, and have a test of their own.
			.filter((value) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value)));
		fc.assert(
			fc.property(input, fc.constantFrom(0, 2), (value, indent) => {
				const text = JSON.stringify(value, undefined, indent);
				expect(spelledCalls(`/a ${text}\n/b`).calls).toEqual([
					{ name: "a", arguments: text },
					{ name: "b", arguments: "{}" },
				]);
			}),
		);
	});
});
