import { readCapped } from "../lib/read-capped";
import type { ChannelConfig } from "../shared/channel";
import { refuseAddress } from "./address";
import type { ResendForm } from "./deliver";
import { notifiers } from "./index";
import { neutraliseMentions } from "./mentions";
import type { ChannelTarget, Notice, NotifyRequest, PartVerdict } from "./notifier";
import { isRedirect, redirected } from "./verdict";

const maxAnswerBytes = 65_536;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Draft {
	readonly target: ChannelTarget;
	readonly notice: Notice;
	readonly part: string;
	readonly form: ResendForm | undefined;
	readonly at: Date;
	/** Development only. */
	readonly allowLoopback: boolean;
}

/** Builds the request for one part, signed for `at`, or says why its address may not be written to. */
export async function draftRequest(draft: Draft): Promise<{ request: NotifyRequest } | { refusal: string }> {
	const { target, notice, part, form, at, allowLoopback } = draft;
	const request = await notifiers[target.type].request(target, part, disarmed(notice, target.config), at, form);
	const refusal = refuseAddress({ ...target, url: request.url }, { allowLoopback });
	return refusal ? { refusal } : { request };
}

/** The parts are disarmed when they are cut; this is for what a type takes from the notice itself, such as a card's heading. */
const disarmed = ({ content, title, ...notice }: Notice, { allowMentions }: ChannelConfig): Notice => ({
	...notice,
	content: allowMentions ? content : neutraliseMentions(content),
	...(title !== undefined && { title: allowMentions ? title : neutraliseMentions(title) }),
});

interface Sending {
	readonly type: ChannelTarget["type"];
	readonly fetch: Fetch;
	/** Takes the channel's own secrets out of the answer, before a verdict shows a piece of it that might end inside one. */
	readonly redact: (text: string) => string;
	readonly timeoutMs?: number;
}

/**
 * Sends one request and reads the answer. Never throws.
 * `lost`: no answer came, and the request may have arrived. workerd tells a refused connection, an unknown host and
 * an answer that broke off by one and the same error, so none of them counts as surely not sent.
 */
export async function sendRequest(
	{ url, headers, body }: NotifyRequest,
	{ type, fetch, redact, timeoutMs = 10_000 }: Sending,
): Promise<{ verdict: PartVerdict } | { lost: string }> {
	const deadline = new AbortController();
	const timer = setTimeout(() => deadline.abort(), timeoutMs);
	const answer = await readAnswer(fetch, url, {
		method: "POST",
		// Discord and some firewalls turn away a client without a name.
		headers: { "User-Agent": "oryx-edge", ...headers },
		body,
		redirect: "manual",
		signal: deadline.signal,
	});
	// A timer left behind, as AbortSignal.timeout leaves one, keeps a Durable Object awake and billed.
	clearTimeout(timer);
	if (!answer && deadline.signal.aborted) return { lost: `No answer came within ${timeoutMs / 1000} s.` };
	if (!answer) return { lost: "The connection failed before an answer came." };
	if (isRedirect(answer.status)) return { verdict: redirected(answer.status, answer.headers) };
	return { verdict: notifiers[type].verdict(answer.status, answer.headers, redact(answer.text)) };
}

/** Undefined for every failure: the words of such an error may quote the address. */
async function readAnswer(fetch: Fetch, url: string, init: RequestInit & { signal: AbortSignal }) {
	try {
		const { status, headers, body } = await fetch(url, init);
		const { bytes } = await readCapped(body, maxAnswerBytes, init.signal);
		return { status, headers, text: new TextDecoder().decode(bytes) };
	} catch {
		return undefined;
	}
}
