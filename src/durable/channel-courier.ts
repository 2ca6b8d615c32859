import { createRedactor, type Redactor } from "../lib/redact";
import type { Progress, Step } from "../notify/deliver";
import { knownSecrets } from "../notify/known-secrets";
import type { ChannelTarget, NotifyRequest, PartVerdict } from "../notify/notifier";
import { draftRequest, type Fetch, sendRequest } from "../notify/send";
import { toAppError } from "../shared/errors";
import { openTarget } from "./channel-job";
import { recordDelivery } from "./channel-record";
import type { Delivery } from "./channel-store";
import type { Deployment } from "./deployment";

/** A part ready to go. */
export interface Letter {
	readonly request: NotifyRequest;
	readonly type: ChannelTarget["type"];
	readonly redactor: Redactor;
}

export interface Refusal {
	readonly code: string;
	readonly message: string;
}

/** The queue's way to the world: opens what is sealed, sends parts, records outcomes, lets no secret out in an answer. */
export interface Courier {
	write(
		delivery: Delivery,
		step: Step & { kind: "send" },
		at: Date,
	): Promise<{ letter: Letter } | { refusal: Refusal }>;
	/** Never throws; the request goes out before this returns to its caller. */
	send(letter: Letter): Promise<{ verdict: PartVerdict } | { lost: string }>;
	/** Throws when D1 does not take it. */
	record(delivery: Delivery, progress: Progress, now: number): Promise<void>;
}

/** `fetch` is asked for at each use, so that a test can change it. */
export function courier(deployment: Deployment, fetch: Fetch): Courier {
	const redactorFor = (name: string, target?: ChannelTarget) =>
		createRedactor([...deployment.ownSecrets, ...(target ? knownSecrets(name, target) : [])]);
	return {
		async write({ job, parts }, { part, form }, at) {
			try {
				const target = await openTarget(deployment.masterKey, job);
				const deliveryId = part === 0 ? job.deliveryId : `${job.deliveryId}.${part + 1}`;
				const drafted = await draftRequest({
					target,
					notice: { ...job.notice, deliveryId },
					part: parts[part] ?? "",
					form,
					at,
					allowLoopback: deployment.allowLoopback,
				});
				if ("refusal" in drafted) return { refusal: { code: "url_refused", message: drafted.refusal } };
				const redactor = redactorFor(job.channel.name, target);
				return { letter: { request: drafted.request, type: target.type, redactor } };
			} catch (error) {
				const { code, message } = toAppError(error);
				return { refusal: { code, message } };
			}
		},
		async send({ request, type, redactor }) {
			const answer = await sendRequest(request, { type, fetch, redact: redactor.redactKnown });
			return "verdict" in answer ? { verdict: redacted(answer.verdict, redactor) } : answer;
		},
		async record(delivery, progress, now) {
			const target = await openTarget(deployment.masterKey, delivery.job).catch(() => undefined);
			const redactor = redactorFor(delivery.job.channel.name, target);
			await recordDelivery({ db: deployment.db, redactor, now }, { ...delivery, progress });
		},
	};
}

const redacted = ({ providerCode, providerMessage, ...verdict }: PartVerdict, { redact }: Redactor): PartVerdict => ({
	...verdict,
	...(providerCode !== undefined && { providerCode: redact(providerCode) }),
	...(providerMessage !== undefined && { providerMessage: redact(providerMessage) }),
});
