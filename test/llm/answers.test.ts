import { describe, expect, it } from "vitest";
import { chatAnswers } from "../fixtures/llm/chat-answers";
import { errorAnswers } from "../fixtures/llm/error-answers";
import { anthropicAnswers, responsesAnswers, workersAiAnswers } from "../fixtures/llm/named-answers";
import { play } from "./play";

describe.each(
	Object.entries({
		"chat completions": chatAnswers,
		"the Responses API": responsesAnswers,
		"Anthropic's messages": anthropicAnswers,
		"Workers AI": workersAiAnswers,
		"answers that say no": errorAnswers,
	}),
)("%s", (_, answers) => {
	it.each(Object.entries(answers))("reads %s, whole and cut into pieces", async (_name, { expected, ...recording }) => {
		expect(await play(recording)).toEqual(expected);
		expect(await play(recording, 1)).toEqual(expected);
		expect(await play(recording, 7)).toEqual(expected);
	});
});
