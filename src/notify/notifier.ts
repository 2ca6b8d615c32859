import type { ChannelConfig, ChannelType } from "../shared/channel";

/** A message for a group of people. */
export interface Notice {
	readonly content: string;
	readonly title?: string | undefined;
	readonly agent?: string | undefined;
	readonly sessionId?: string | undefined;
	/** Stable across attempts; receivers may drop a repeat by it. */
	readonly deliveryId: string;
}

/** A channel's address and credentials, in the clear: lives in memory for the length of a delivery. */
export interface ChannelTarget {
	readonly type: ChannelType;
	readonly url: string;
	readonly secret: string | undefined;
	readonly config: ChannelConfig;
}

/** One HTTP request that carries one part of a notice. Built afresh for each attempt, so that a signature is of now. */
export interface NotifyRequest {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/** What one provider's answer to one part means. */
export interface PartVerdict {
	readonly ok: boolean;
	readonly httpStatus: number;
	readonly providerCode?: string;
	readonly providerMessage?: string;
	/** Wait this long before anything else is sent on the channel. */
	readonly retryAfterMs?: number;
	/** Trying the same again may help. */
	readonly retryable: boolean;
	/** Try the same part once more in this form (Telegram without entities, a moved chat). */
	readonly resendAs?: { plain?: true; chatId?: string };
}

/** One channel type: pure functions over data; the sending is done elsewhere, the same for all. */
export interface Notifier {
	readonly type: ChannelType;
	/** Hosts that a URL of this type may have; undefined means any public one. */
	readonly hosts: readonly string[] | undefined;
	/** Set where the channel's secret itself travels with each message, and does not only sign it. */
	readonly sendsSecret?: true;
	/** Messages the channel may send: a token bucket. */
	readonly rate: { readonly burst: number; readonly perMinute: number };
	/** Turns what an operator pasted (a URL, a bare key) into the stored URL, or throws AppError `invalid_input` that says what is wrong. */
	normalise(url: string, config: ChannelConfig, secret: string | undefined): string;
	/** Cuts a notice into parts that each fit the provider's limit, mentions neutralised, numbered when there are several. */
	split(notice: Notice, config: ChannelConfig): readonly string[];
	request(
		target: ChannelTarget,
		part: string,
		notice: Notice,
		at: Date,
		form?: PartVerdict["resendAs"],
	): Promise<NotifyRequest>;
	/** `text` is the whole body, at most 64 KiB. */
	verdict(status: number, headers: Headers, text: string): PartVerdict;
}
