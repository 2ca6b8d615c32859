import { open } from "../lib/seal";
import type { ChannelTarget, Notice } from "../notify/notifier";
import type { ChannelConfig, ChannelType } from "../shared/channel";

/** What a caller asks of a channel. The channel travels as it is at that moment, still sealed. */
export interface DeliveryJob {
	/** The same id is the same delivery, however often it is asked for. */
	readonly deliveryId: string;
	readonly channel: {
		readonly name: string;
		readonly type: ChannelType;
		readonly url: string;
		readonly secret: string | null;
		readonly config: ChannelConfig;
	};
	readonly notice: Notice;
	readonly sessionId: string | undefined;
	readonly agent: string | undefined;
}

/** Opens a channel's sealed fields. Throws `misconfigured`. */
export async function openTarget(masterKey: string, { channel }: Pick<DeliveryJob, "channel">): Promise<ChannelTarget> {
	const { name, type, url, secret, config } = channel;
	const aad = `notify_channels|${name}`;
	return {
		type,
		url: await open(masterKey, `${aad}|url`, url),
		secret: secret === null ? undefined : await open(masterKey, `${aad}|secret`, secret),
		config,
	};
}
