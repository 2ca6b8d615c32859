import { describe, expect, it } from "vitest";
import { chatAnswers } from "../fixtures/llm/chat-answers";
import { anthropicAnswers, responsesAnswers, workersAiAnswers } from "../fixtures/llm/named-answers";
import { play } from "./play";

/** The platform's own streams, decoders and responses, which differ from Node's. */
describe.each(
	Object.entries({
		"chat completions": chatAnswers,
		"the Responses API": responsesAnswers,
		"Anthropic's messages": anthropicAnswers,
		"Workers AI": workersAiAnswers,
	}),
)("%s in workerd", (_, answers) => {
	it.each(Object.entries(answers))("reads %s", async (_name, { expected, ...recording }) => {
		expect(await play(recording)).toEqual(expected);
		expect(await play(recording, 7)).toEqual(expected);
	});
});
