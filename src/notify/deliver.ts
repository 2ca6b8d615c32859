import type { DeliveryVerdict } from "../shared/channel";
import type { PartVerdict } from "./notifier";
import { isAnswerLost } from "./verdict";

/** How far a delivery has come. Stored before each request and after it, so it tells what a dead process left behind. */
export interface Progress {
	readonly partsTotal: number;
	readonly partsDelivered: number;
	/** Requests sent in all. */
	readonly attempts: number;
	/** Requests sent for the present part. */
	readonly tries: number;
	/** `sending`: the request is out, or was when the process died. */
	readonly phase: "waiting" | "sending" | "delivered" | "failed" | "unknown";
	/** Milliseconds since 1970. */
	readonly notBefore: number;
	/** How the present part is sent, where the provider asked for another form. */
	readonly form?: ResendForm | undefined;
	readonly last?: PartVerdict | undefined;
}

export type ResendForm = NonNullable<PartVerdict["resendAs"]>;

export type Step =
	| { readonly kind: "send"; readonly part: number; readonly form: ResendForm | undefined }
	| { readonly kind: "wait"; readonly until: number }
	| { readonly kind: "done" };

const maxTries = 3;
/** A provider that wants a longer wait is not waited for. */
export const maxWaitMs = 3_600_000;

export const startProgress = (partsTotal: number): Progress => ({
	partsTotal,
	partsDelivered: 0,
	attempts: 0,
	tries: 0,
	phase: "waiting",
	notBefore: 0,
});

export const isDone = ({ phase }: Progress): boolean => phase !== "waiting" && phase !== "sending";

/** What comes next. */
export function nextStep(progress: Progress, now: number): Step {
	if (isDone(progress)) return { kind: "done" };
	if (progress.notBefore > now) return { kind: "wait", until: progress.notBefore };
	return { kind: "send", part: progress.partsDelivered, form: progress.form };
}

export const sendingPart = (progress: Progress): Progress => ({
	...progress,
	phase: "sending",
	attempts: progress.attempts + 1,
	tries: progress.tries + 1,
});

/** Takes in the answer to the part that was sent. `random` is in [0, 1). */
export function answered(
	progress: Progress,
	verdict: PartVerdict,
	{ now, random }: { now: number; random: number },
): Progress {
	const next = { ...progress, phase: "waiting", last: verdict } as const;
	if (verdict.ok) return partDelivered(progress, verdict);
	if (isAnswerLost(verdict.httpStatus)) return { ...next, phase: "unknown" };
	const form = newForm(progress.form, verdict.resendAs);
	if (progress.tries >= maxTries || !(form || verdict.retryable)) return { ...next, phase: "failed" };
	if (form) return { ...next, form };
	const wait = Math.max(verdict.retryAfterMs ?? 0, backoffMs(progress.tries, random));
	if (wait > maxWaitMs) return { ...next, phase: "failed" };
	return { ...next, notBefore: now + wait };
}

/** The request may have arrived, and no answer came: it is not sent again. */
export const answerLost = (progress: Progress, why: string): Progress => ({
	...progress,
	phase: "unknown",
	last: {
		ok: false,
		httpStatus: 0,
		providerCode: "no_answer",
		providerMessage: `${why} The message may have arrived, so it is not sent again.`,
		retryable: false,
	},
});

/** What a new process makes of a delivery that a dead one left behind. */
export const recovered = (progress: Progress): Progress =>
	progress.phase === "sending" ? answerLost(progress, "The process stopped while it waited for the answer.") : progress;

/** Nothing was sent, nor will be. */
export const refused = (progress: Progress, providerCode: string, providerMessage: string): Progress => ({
	...progress,
	phase: "failed",
	last: { ok: false, httpStatus: 0, providerCode, providerMessage, retryable: false },
});

/** What is told of a delivery at `now`. */
export function verdictOf({ phase, last, notBefore, ...progress }: Progress, now: number): DeliveryVerdict {
	const { partsDelivered, partsTotal, attempts } = progress;
	const status = phase === "waiting" || phase === "sending" ? "queued" : phase;
	const wait = status === "queued" ? Math.max(0, notBefore - now) : last?.retryAfterMs;
	return {
		ok: status === "delivered",
		status,
		...(last?.httpStatus && { httpStatus: last.httpStatus }),
		...(last?.providerCode !== undefined && { providerCode: last.providerCode }),
		...(last?.providerMessage !== undefined && { providerMessage: last.providerMessage }),
		...(wait && { retryAfterMs: wait }),
		...(status === "failed" && { permanent: !last?.retryable }),
		partsDelivered,
		partsTotal,
		attempts,
	};
}

function partDelivered(progress: Progress, verdict: PartVerdict): Progress {
	const partsDelivered = progress.partsDelivered + 1;
	const phase = partsDelivered === progress.partsTotal ? "delivered" : "waiting";
	const next = { ...progress, partsDelivered, phase, tries: 0, notBefore: 0, last: verdict, form: undefined } as const;
	// A moved chat has moved for the other parts too; text that could not be parsed was this part's.
	const chatId = progress.form?.chatId;
	if (chatId === undefined) return next;
	const providerMessage = `The chat has moved: set config.chatId to ${chatId}.`;
	return { ...next, form: { chatId }, last: { ...verdict, providerMessage } };
}

/** The wanted form on top of the present one, or undefined when it is the present one. */
function newForm(form: ResendForm | undefined, wanted: ResendForm | undefined): ResendForm | undefined {
	if (!wanted) return undefined;
	const merged = { ...form, ...wanted };
	return merged.plain === form?.plain && merged.chatId === form?.chatId ? undefined : merged;
}

/** About 1 s, then 4 s, half of it by chance. */
const backoffMs = (tries: number, random: number) => Math.round(1000 * 4 ** (tries - 1) * (0.5 + random / 2));
