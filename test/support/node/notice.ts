import { notifiers } from "../../../src/notify";
import type { ChannelTarget, Notice, PartVerdict } from "../../../src/notify/notifier";
import type { ChannelConfig, ChannelType } from "../../../src/shared/channel";

export const at = new Date(1_700_000_000_000);

export const notice = (content: string, over: Partial<Notice> = {}): Notice => ({
	content,
	deliveryId: "d-1",
	...over,
});

export const target = (type: ChannelType, url: string, over: Partial<ChannelTarget> = {}): ChannelTarget => ({
	type,
	url,
	secret: undefined,
	config: {},
	...over,
});

/** The parsed JSON bodies of all parts of a notice. */
export async function bodiesOf(channel: ChannelTarget, message: Notice): Promise<unknown[]> {
	const { split, request } = notifiers[channel.type];
	const parts = split(message, channel.config);
	const requests = await Promise.all(parts.map((part) => request(channel, part, message, at)));
	return requests.map(({ body }) => JSON.parse(body));
}

/** The verdict on an answer; what is no text is sent as JSON. */
export function verdictOn(
	type: ChannelType,
	body: unknown,
	{ status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): PartVerdict {
	const text = typeof body === "string" ? body : JSON.stringify(body);
	return notifiers[type].verdict(status, new Headers(headers), text);
}

export const normalise = (type: ChannelType, url: string, config: ChannelConfig = {}, secret?: string): string =>
	notifiers[type].normalise(url, config, secret);

/** Every length and content that a splitter may meet, long enough for several parts. */
export const longText = (length: number): string =>
	'状态 <ok> & "fine" \\ 👍🏽\n| a | b |\n@all line\u0007\n'
		.repeat(Math.ceil(length / 40))
		.slice(0, length)
		.toWellFormed();
