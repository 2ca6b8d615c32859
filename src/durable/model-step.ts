import type { ModelStep, Step, StepFailure } from "../agent/journal";
import type { Move } from "../agent/next-move";
import { ModelError, type ModelReply, type ModelRequest, type Provider } from "../llm/provider";
import { retryDecision } from "../llm/retry";
import type { NewEvent } from "../shared/events";
import { DeltaLog } from "./delta-log";
import { redactReply } from "./redact-reply";
import type { StoredTurn } from "./session-store";
import type { StepWorld, TurnHome } from "./turn-driver";

/** Asks the model for one answer and stores it, or why there is none. */
export async function askModel(
	home: TurnHome,
	world: StepWorld,
	turn: StoredTurn,
	move: Move & { type: "model" },
): Promise<void> {
	const { store } = home;
	const { again } = move;
	const step: ModelStep = {
		kind: "model",
		id: again?.id ?? home.newId(),
		seq: again?.seq ?? (store.steps(turn.id).at(-1)?.seq ?? 0) + 1,
		state: "started",
		startedAt: again?.startedAt ?? home.now(),
		attempt: move.attempt,
	};
	store.putStep(turn.id, step, again ? [{ type: "text-reset", data: {} }] : []);
	home.announce();

	const deltas = new DeltaLog(world.redactor, (events) => {
		store.addEvents(turn.id, events);
		home.announce();
	});
	let asked: { name: string; model: string } | undefined;
	try {
		const model = await world.model();
		asked = { name: model.name, model: model.model };
		const request = {
			model: model.model,
			messages: await world.messages(),
			tools: world.tools(),
			temperature: world.temperature,
			maxTokens: world.maxTokens,
		};
		const heard = await listen(model.provider, request, { home, deltas, endsAt: endOf(turn, world) });
		const reply = redactReply(heard, world.redactor);
		const chars = JSON.stringify(reply).length;
		if (chars > maxReplyChars) {
			throw new ModelError("bad_response", `The model's answer has more than ${maxReplyChars} characters.`);
		}
		if (chars + charsOfReplies(store.steps(turn.id)) > maxTurnReplyChars) {
			throw new ModelError("bad_response", `The answers of the turn have more than ${maxTurnReplyChars} characters.`);
		}
		const done = { ...step, state: "done", endedAt: home.now(), provider: asked.name, model: asked.model } as const;
		store.putStep(turn.id, { ...done, reply }, toolCallEvents(reply, world));
	} catch (error) {
		deltas.drop();
		const failure = toFailure(home, world, turn, step, error);
		const wait: NewEvent[] =
			failure.retryAt === undefined
				? []
				: [
						{
							type: "turn-wait",
							data: { type: "retry", until: new Date(failure.retryAt).toISOString(), reason: failure.message },
						},
					];
		store.putStep(
			turn.id,
			{ ...step, state: "failed", endedAt: home.now(), provider: asked?.name, model: asked?.model, failure },
			wait,
		);
	}
}

/** A row of the journal holds 2 MB, and a character may take three bytes. */
const maxReplyChars = 600_000;
/** A turn is read and handed on as a whole, in a call that carries 32 MiB. */
const maxTurnReplyChars = 4_000_000;

const charsOfReplies = (steps: readonly Step[]) =>
	steps.reduce((sum, step) => sum + (step.kind === "model" && step.reply ? JSON.stringify(step.reply).length : 0), 0);

/** Reads the whole answer. One that says nothing for two minutes, or does not end with the turn's time, is given up. */
async function listen(
	provider: Provider,
	request: ModelRequest,
	{ home, deltas, endsAt }: { home: TurnHome; deltas: DeltaLog; endsAt: number },
): Promise<ModelReply> {
	const giveUp = new AbortController();
	let heardAt = home.now();
	const watch = setInterval(() => {
		if (home.now() - heardAt > maxSilenceMs) giveUp.abort(silence);
		if (home.now() >= endsAt) giveUp.abort(outOfTime);
	}, watchEveryMs);
	try {
		for await (const event of provider.chat(request, AbortSignal.any([home.signal, giveUp.signal]))) {
			heardAt = home.now();
			if (event.type === "finish") {
				deltas.end();
				return event.reply;
			}
			deltas.push(event);
		}
		throw new ModelError("stream_cut", "The model's answer ended before it was complete.", { retryable: true });
	} catch (error) {
		throw giveUp.signal.aborted ? giveUp.signal.reason : error;
	} finally {
		clearInterval(watch);
	}
}

const maxSilenceMs = 120_000;
const watchEveryMs = 5_000;
const silence = new ModelError("timeout", `The model said nothing for ${maxSilenceMs / 1000} seconds.`, {
	retryable: true,
});
const outOfTime = new ModelError("timeout", "The model's answer was not complete when the turn's time was over.");

const toolCallEvents = ({ toolCalls }: ModelReply, { redactor }: StepWorld): NewEvent[] =>
	toolCalls.map(({ id, name, arguments: text }) => ({
		type: "tool-call",
		data: { id, name, arguments: redactor.redact(text) },
	}));

function toFailure(home: TurnHome, world: StepWorld, turn: StoredTurn, step: ModelStep, thrown: unknown): StepFailure {
	const error =
		thrown instanceof ModelError
			? thrown
			: new ModelError(
					"network",
					`The model could not be asked: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
					{
						cause: thrown,
					},
				);
	const message = world.redactor.redact(error.message).slice(0, 2_000);
	const failure = { code: error.code, message, retryable: error.retryable };
	const decision = retryDecision(error, step.attempt, home.random());
	if (!decision.retry || home.signal.aborted) return failure;
	const retryAt = home.now() + decision.delayMs;
	if (retryAt < endOf(turn, world)) return { ...failure, retryAt };
	return {
		...failure,
		message: `${message} The wait asked for is longer than what is left of the turn's ${world.limits.max_seconds} seconds.`,
	};
}

const endOf = (turn: StoredTurn, { limits }: StepWorld) => turn.startedAt + limits.max_seconds * 1000;
