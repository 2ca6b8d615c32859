import { describe, expect, it } from "vitest";
import {
	answered,
	answerLost,
	nextStep,
	type Progress,
	recovered,
	refused,
	sendingPart,
	startProgress,
	verdictOf,
} from "../../src/notify/deliver";
import type { PartVerdict } from "../../src/notify/notifier";

const now = 1_000_000;
const ok: PartVerdict = { ok: true, httpStatus: 200, retryable: false };
const fails = (over: Partial<PartVerdict> = {}): PartVerdict => ({
	ok: false,
	httpStatus: 200,
	providerCode: "1",
	providerMessage: "no",
	retryable: true,
	...over,
});

/** Sends a part and takes in the answer, once for each. */
const answeredWith = (progress: Progress, ...verdicts: PartVerdict[]): Progress =>
	verdicts.reduce((before, verdict) => answered(sendingPart(before), verdict, { now, random: 0 }), progress);

describe("a delivery", () => {
	it("sends its parts in order and is delivered with the last", () => {
		let progress = startProgress(2);
		expect(nextStep(progress, now)).toEqual({ kind: "send", part: 0, form: undefined });
		progress = answeredWith(progress, ok);
		expect(nextStep(progress, now)).toEqual({ kind: "send", part: 1, form: undefined });
		progress = answeredWith(progress, ok);
		expect(nextStep(progress, now)).toEqual({ kind: "done" });
		expect(verdictOf(progress, now)).toEqual({
			ok: true,
			status: "delivered",
			httpStatus: 200,
			partsDelivered: 2,
			partsTotal: 2,
			attempts: 2,
		});
	});

	it("fails with the count of delivered parts", () => {
		const progress = answeredWith(startProgress(3), ok, fails({ retryable: false }));
		expect(verdictOf(progress, now)).toMatchObject({
			ok: false,
			status: "failed",
			permanent: true,
			partsDelivered: 1,
			partsTotal: 3,
			providerCode: "1",
		});
	});

	it("waits longer before each try, and fails with the third", () => {
		const first = answeredWith(startProgress(1), fails());
		expect(nextStep(first, now)).toEqual({ kind: "wait", until: now + 500 });
		expect(nextStep(first, now + 500)).toMatchObject({ kind: "send" });
		expect(nextStep(answeredWith(first, fails()), now)).toEqual({ kind: "wait", until: now + 2000 });
		const last = answeredWith(first, fails(), fails());
		expect(verdictOf(last, now)).toMatchObject({ status: "failed", permanent: false, attempts: 3 });
	});

	it("spreads its tries by chance", () => {
		const waits = [0, 0.5, 0.99].map(
			(random) => answered(sendingPart(startProgress(1)), fails(), { now, random }).notBefore,
		);
		expect(waits.map((until) => until - now)).toEqual([500, 750, 995]);
	});

	it("counts its tries anew for each part", () => {
		const progress = answeredWith(startProgress(2), fails(), fails(), ok, fails(), fails());
		expect(nextStep(progress, now)).toMatchObject({ kind: "wait" });
		expect(verdictOf(answeredWith(progress, ok), now)).toMatchObject({ status: "delivered", attempts: 6 });
	});

	it("waits as long as the provider says, up to an hour", () => {
		const patient = answeredWith(startProgress(1), fails({ retryAfterMs: 600_000 }));
		expect(nextStep(patient, now)).toEqual({ kind: "wait", until: now + 600_000 });
		expect(verdictOf(patient, now + 200_000)).toMatchObject({ status: "queued", retryAfterMs: 400_000 });
		const impatient = answeredWith(startProgress(1), fails({ retryAfterMs: 3_600_001 }));
		expect(verdictOf(impatient, now)).toMatchObject({ status: "failed", retryAfterMs: 3_600_001, permanent: false });
	});

	it.each([504, 520, 522, 524])("is unknown when a server on the way lost the answer: %i", (httpStatus) => {
		const progress = answeredWith(startProgress(1), fails({ httpStatus }));
		expect(nextStep(progress, now)).toEqual({ kind: "done" });
		expect(verdictOf(progress, now)).toMatchObject({ ok: false, status: "unknown" });
	});

	it.each([500, 502, 503, 521, 523, 525, 530])(
		"tries again where the request surely was not served: %i",
		(httpStatus) => {
			expect(nextStep(answeredWith(startProgress(1), fails({ httpStatus })), now)).toMatchObject({ kind: "wait" });
		},
	);

	it("is unknown without an answer, and not sent again", () => {
		const progress = answerLost(sendingPart(answeredWith(startProgress(2), ok)), "No answer came within 10 s.");
		expect(nextStep(progress, now)).toEqual({ kind: "done" });
		expect(verdictOf(progress, now)).toMatchObject({
			status: "unknown",
			providerCode: "no_answer",
			providerMessage: "No answer came within 10 s. The message may have arrived, so it is not sent again.",
			partsDelivered: 1,
		});
	});

	it("is unknown to a new process only where a request was out", () => {
		const waiting = answeredWith(startProgress(2), ok);
		expect(recovered(waiting)).toBe(waiting);
		expect(recovered(sendingPart(waiting)).phase).toBe("unknown");
		const done = answeredWith(startProgress(1), ok);
		expect(recovered(done)).toBe(done);
	});

	it("tells why nothing was sent", () => {
		expect(verdictOf(refused(startProgress(1), "url_refused", "No."), now)).toEqual({
			ok: false,
			status: "failed",
			providerCode: "url_refused",
			providerMessage: "No.",
			permanent: true,
			partsDelivered: 0,
			partsTotal: 1,
			attempts: 0,
		});
	});
});

describe("another form of a part", () => {
	const unparsed = fails({ httpStatus: 400, retryable: false, resendAs: { plain: true } });
	const moved = fails({ httpStatus: 400, retryable: false, resendAs: { chatId: "-2" } });

	it("is sent at once, for that part alone", () => {
		const progress = answeredWith(startProgress(2), unparsed);
		expect(nextStep(progress, now)).toEqual({ kind: "send", part: 0, form: { plain: true } });
		expect(nextStep(answeredWith(progress, ok), now)).toEqual({ kind: "send", part: 1, form: undefined });
	});

	it("is not sent twice", () => {
		expect(verdictOf(answeredWith(startProgress(1), unparsed, unparsed), now)).toMatchObject({
			status: "failed",
			attempts: 2,
		});
	});

	it("holds for the other parts where the chat moved, and is told", () => {
		const progress = answeredWith(startProgress(2), moved, ok);
		expect(nextStep(progress, now)).toEqual({ kind: "send", part: 1, form: { chatId: "-2" } });
		expect(verdictOf(answeredWith(progress, ok), now)).toMatchObject({
			ok: true,
			providerMessage: "The chat has moved: set config.chatId to -2.",
		});
	});

	it("adds to the one before", () => {
		expect(nextStep(answeredWith(startProgress(1), moved, unparsed), now)).toMatchObject({
			form: { chatId: "-2", plain: true },
		});
	});

	it("ends when a chat moves for ever", () => {
		const back = fails({ httpStatus: 400, retryable: false, resendAs: { chatId: "-1" } });
		expect(verdictOf(answeredWith(startProgress(1), moved, back, moved), now)).toMatchObject({
			status: "failed",
			attempts: 3,
		});
	});
});
