import type * as z from "zod";
import type { ChannelFields, NotifyChannel } from "../db/notify-channels";
import type { Deployment } from "../durable/deployment";
import { open, seal } from "../lib/seal";
import { readAddress } from "../notify/address";
import { notifiers } from "../notify/index";
import type { channelChange, channelView } from "../shared/channel";
import { AppError } from "../shared/errors";

type Change = z.output<typeof channelChange>;

/**
 * What is stored of a channel: its address checked against its type, address and secret sealed.
 * Those that `change` leaves out are the ones of `stored`, and are judged anew, since the type may be another. Throws `invalid_input`.
 */
export async function fieldsOf(
	{ masterKey, allowLoopback }: Deployment,
	name: string,
	change: Change,
	stored?: NotifyChannel,
): Promise<ChannelFields> {
	const aad = `notify_channels|${name}`;
	const { type, description, config, enabled, isDefault } = change;
	if (change.secret && change.clear.includes("secret")) {
		throw new AppError("invalid_input", "secret: it is both given and cleared; do one of them.");
	}
	const kept = change.clear.includes("secret") ? null : (stored?.secret ?? null);
	const secret = change.secret || (kept === null ? undefined : await open(masterKey, `${aad}|secret`, kept));
	// A client that sends back what it was shown means the address that is stored.
	const given = change.url === stored?.urlShown ? "" : change.url;
	const pasted = given || (stored ? await open(masterKey, `${aad}|url`, stored.url) : "");
	const { url, urlShown } = readAddress({ type, url: pasted, config, secret }, { allowLoopback });
	const isElsewhere = stored !== undefined && stored.urlShown !== urlShown;
	if (isElsewhere && notifiers[type].sendsSecret && secret && !change.secret) {
		throw new AppError(
			"invalid_input",
			`secret: the address leads to another host now, which would be sent the stored secret. Send the secret again, or clear it.`,
		);
	}
	return {
		type,
		url: await seal(masterKey, `${aad}|url`, url),
		urlShown,
		secret: secret === undefined ? null : await seal(masterKey, `${aad}|secret`, secret),
		description,
		config,
		enabled,
		isDefault,
	};
}

/** A channel as it is answered: of its address and secret no more than that they are there. */
export const viewOf = (channel: NotifyChannel): z.output<typeof channelView> => ({
	name: channel.name,
	type: channel.type,
	url: channel.urlShown,
	configured: { url: true, secret: channel.secret !== null },
	description: channel.description,
	config: channel.config,
	enabled: channel.enabled,
	isDefault: channel.isDefault,
	lastDelivery:
		channel.lastStatus === null
			? null
			: { status: channel.lastStatus, code: channel.lastCode, error: channel.lastError },
	lastDeliveredAt: channel.lastDeliveredAt,
	createdAt: channel.createdAt,
	updatedAt: channel.updatedAt,
});
