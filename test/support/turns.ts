import type { ModelStep, Step, ToolStep, Turn, TurnLimits } from "../../src/agent/journal";
import type { ModelReply, ModelToolCall } from "../../src/llm/provider";

export const limits: TurnLimits = {
	max_iterations: 3,
	max_tokens: 1_000,
	max_seconds: 60,
	on_nonretryable: "feed_back",
};

export const turn = (over: Partial<Turn> = {}): Turn => ({
	id: "s.1",
	agent: "a",
	message: "hello",
	status: "running",
	startedAt: 0,
	cancelled: false,
	recoveries: 0,
	...over,
});

export const call = (id: string, name = "current_time"): ModelToolCall => ({
	id,
	vendorId: id,
	name,
	arguments: "{}",
	input: { ok: true, value: {} },
});

export const reply = (over: Partial<ModelReply> = {}): ModelReply => ({
	content: "",
	toolCalls: [],
	reasoning: [],
	finishReason: "stop",
	usage: { inputTokens: 1, outputTokens: 1 },
	model: "m",
	...over,
});

export const modelStep = (seq: number, over: Partial<ModelStep> = {}): ModelStep => ({
	kind: "model",
	id: `m${seq}`,
	seq,
	state: "done",
	startedAt: 0,
	attempt: 1,
	...over,
});

export const asks = (seq: number, ...ids: string[]): Step =>
	modelStep(seq, { reply: reply({ toolCalls: ids.map((id) => call(id)), finishReason: "tool-calls" }) });

export const answers = (seq: number, content: string): Step => modelStep(seq, { reply: reply({ content }) });

export const toolStep = (seq: number, id: string, over: Partial<ToolStep> = {}): ToolStep => ({
	kind: "tool",
	seq,
	state: "done",
	startedAt: 0,
	call: call(id),
	result: { success: true, content: `result of ${id}` },
	...over,
});
