import type { Step, ToolStep, Turn, TurnError, TurnLimits } from "../agent/journal";
import { iterationsOf, usageOf } from "../agent/journal";
import { givenUp, type Move, maxRecoveries, nextMove, openCalls } from "../agent/next-move";
import { viewOf } from "../agent/view";
import { createRedactor, type Redactor } from "../lib/redact";
import type { ModelMessage, ModelToolCall, Provider, ToolSpec } from "../llm/provider";
import { failure, type ToolResult, textOf } from "../shared/tool-result";
import { callTool, describeCall, type Invocation, outcomeOf, type ToolCall, type ToolHost } from "../tools/call";
import { askModel } from "./model-step";
import type { SessionStore, StoredTurn } from "./session-store";

/** What one step of a turn works with: one snapshot of the configuration. */
export interface StepWorld {
	readonly limits: TurnLimits;
	readonly redactor: Redactor;
	readonly host: Omit<ToolHost, "intend" | "record" | "keepArtifact">;
	/** What the model is told of its tools. */
	tools(): readonly ToolSpec[];
	readonly temperature: number | undefined;
	readonly maxTokens: number | undefined;
	/** The conversation to send, the system prompt first. */
	messages(): Promise<ModelMessage[]>;
	/** Throws ModelError when no model can be had. */
	model(): Promise<{ provider: Provider; name: string; model: string }>;
}

/** The object behind a turn, as far as driving one needs it. */
export interface TurnHome {
	readonly sessionId: string;
	readonly store: SessionStore;
	readonly signal: AbortSignal;
	now(): number;
	newId(): string;
	random(): number;
	/** The configuration in force now; undefined when the turn's agent is gone. */
	world(turn: StoredTurn): Promise<StepWorld | undefined>;
	/** Tells watchers that the log has grown. */
	announce(): void;
	/** Called between steps, when something can be said about the turn elsewhere. */
	stepped(turn: StoredTurn): void;
}

/** Takes a turn as far as it goes now: to its end, or to a time before which nothing can be done. */
export async function driveTurn(
	home: TurnHome,
	turnId: string,
): Promise<{ over: true } | { over: false; until: number }> {
	home.store.open(turnId);
	let restedAt = home.now();
	for (;;) {
		if (home.now() - restedAt > stintMs) {
			await scheduler.wait(0);
			restedAt = home.now();
		}
		const turn = home.store.turn(turnId);
		if (!turn) return { over: true };
		if (turn.recoveries > maxRecoveries) {
			await halt(home, turn, givenUp(turn));
			return { over: true };
		}
		const world = await home.world(turn);
		if (!world) {
			await halt(home, turn, agentMissing(turn));
			return { over: true };
		}
		// Read again after the await: a cancel may have come.
		const current = home.store.turn(turnId) ?? turn;
		const move = nextMove(current, home.store.steps(turnId), world.limits, home.now());
		if (move.type === "end") {
			endTurn(home, current, move);
			return { over: true };
		}
		if (move.type === "wait") return { over: false, until: move.until };
		if (move.type === "model") await askModel(home, world, current, move);
		if (move.type === "tool") await runTool(home, world, current, move.call, move.again);
		if (move.type === "close") await closeCalls(home, world.redactor, current, move);
		if (current.recoveries > 0) home.store.setRecoveries(turnId, 0);
		home.announce();
		home.stepped(current);
	}
}

/** Under `npm start` the database is in the same process: quick steps that follow each other would let no other request in, not even a cancel. */
const stintMs = 25;

const agentMissing = (turn: Turn): TurnError => ({
	code: "agent_missing",
	message: `The agent ${turn.agent} was deleted while its turn was under way.`,
	retryable: false,
});

/** Ends a turn that no configuration can be had for; its calls get their results and audit rows all the same. */
async function halt(home: TurnHome, turn: StoredTurn, error: TurnError): Promise<void> {
	const calls = openCalls(home.store.steps(turn.id)).map(({ call }) => call);
	await closeCalls(home, shapesOnly, turn, { calls, because: error });
	endTurn(home, turn, { type: "end", status: "failed", error });
}

/** Known secrets are taken out of an answer before it is stored; what is left are shapes of secrets. */
const shapesOnly = createRedactor([]);

function endTurn(home: TurnHome, turn: StoredTurn, move: Move & { type: "end" }): void {
	const error = move.status === "failed" ? move.error : undefined;
	const steps = home.store.steps(turn.id);
	const endedAt = home.now();
	const { answer, finishReason } = viewOf(home.sessionId, { ...turn, status: move.status, error }, steps);
	const data = {
		status: move.status,
		answer,
		finishReason,
		error,
		usage: usageOf(steps),
		iterations: iterationsOf(steps),
	};
	home.store.updateTurn(turn.id, { status: move.status, error, endedAt }, [{ type: "turn-end", data }]);
	home.announce();
}

async function runTool(
	home: TurnHome,
	world: StepWorld,
	turn: StoredTurn,
	asked: ModelToolCall,
	again?: ToolStep,
): Promise<void> {
	const tool = world.host.registry.find(asked.name);
	if (again && tool && !tool.idempotent && tool.effects !== "read") {
		await settleWithout(home, world.redactor, turn, { asked, again, result: interrupted(asked.name) });
		return;
	}
	await callTool(hostFor(home, world, turn, asked, again), toToolCall(asked), home.signal);
}

/** The place of a call in the journal, and how its result is stored there: step, event and audit row together. */
function entryFor({ store, now }: TurnHome, turn: StoredTurn, asked: ModelToolCall, again: ToolStep | undefined) {
	const seq = again?.seq ?? (store.steps(turn.id).at(-1)?.seq ?? 0) + 1;
	const step: ToolStep = { kind: "tool", seq, state: "started", startedAt: now(), call: asked };
	return {
		step,
		end(invocation: Invocation, result: ToolResult): void {
			const done: ToolStep = { ...step, state: "done", endedAt: now(), result };
			store.putStep(turn.id, done, [{ type: "tool-result", data: shownResult(asked, result) }], invocation);
		},
	};
}

/** A tool host whose records are the turn's journal: the effect's intent before, result, audit and event after, together. */
function hostFor(home: TurnHome, world: StepWorld, turn: StoredTurn, asked: ModelToolCall, again?: ToolStep): ToolHost {
	const { store } = home;
	const entry = entryFor(home, turn, asked, again);
	return {
		...world.host,
		resultRoom: roomFor(store.steps(turn.id)),
		intend: async () => {
			if (!again) store.putStep(turn.id, entry.step);
			await store.sync();
		},
		record: async (invocation, result) => entry.end(invocation, result),
		keepArtifact: async (content) => {
			const id = home.newId();
			return store.artifacts.put(id, content) ? id : undefined;
		},
	};
}

/** What all results of a turn may take together, and what each may take in any case: a turn is read and handed on as a whole. */
const maxTurnResultChars = 1_000_000;
const minResultChars = 1_000;

function roomFor(steps: readonly Step[]): number {
	const taken = steps.reduce(
		(sum, step) => sum + (step.kind === "tool" && step.result ? textOf(step.result).length : 0),
		0,
	);
	return Math.max(minResultChars, maxTurnResultChars - taken);
}

const toToolCall = ({ id, name, input }: ModelToolCall): ToolCall => ({
	id,
	name,
	input: input.ok ? input : { ok: false, reason: whyUnrunnable[input.reason] },
});

const whyUnrunnable = {
	invalid_json: "They are not valid JSON. Send the call again with a JSON object.",
	cut_off: "The answer was cut off before they were complete. Send the call again with less in it.",
	not_an_object: "They are not a JSON object. Send the call again with an object of arguments.",
};

const interrupted = (name: string): ToolResult =>
	failure(
		"interrupted",
		`interrupted: the outcome is unknown. ${name} had been started when the process ended; whether it took effect cannot be known, and it was not run again.`,
	);

/** Stores a result for calls that will not be run, so that each call of the history has one. */
async function closeCalls(
	home: TurnHome,
	redactor: Redactor,
	turn: StoredTurn,
	{ calls, because }: Pick<Move & { type: "close" }, "calls" | "because">,
): Promise<void> {
	const steps = home.store.steps(turn.id);
	for (const asked of calls) {
		const again = steps.find((step): step is ToolStep => step.kind === "tool" && step.call.id === asked.id);
		const why = because === "cancelled" ? "the turn was cancelled." : because.message;
		const result = again ? interrupted(asked.name) : failure("cancelled", `${asked.name} was not run: ${why}`);
		await settleWithout(home, redactor, turn, { asked, again, result });
	}
}

interface Settlement {
	readonly asked: ModelToolCall;
	readonly again: ToolStep | undefined;
	readonly result: ToolResult;
}

async function settleWithout(
	home: TurnHome,
	redactor: Redactor,
	turn: StoredTurn,
	{ asked, again, result }: Settlement,
): Promise<void> {
	const intent = await describeCall({ redactor }, toToolCall(asked), new Date(home.now()));
	entryFor(home, turn, asked, again).end(outcomeOf(intent, result), result);
}

/** A result in an event is for showing; the whole of a long one is in the turn. */
function shownResult({ id, name }: ModelToolCall, result: ToolResult) {
	const text = textOf(result);
	const shown = text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text;
	return {
		id,
		name,
		success: result.success,
		...(result.success ? { content: shown } : { code: result.code, errorMessage: shown }),
	};
}

const maxShownChars = 8_000;
