import { parseHostEntry } from "../gates/host-entry";
import { hostKind } from "../gates/host-kind";
import { entriesFor } from "../gates/host-list";
import { judgeUrl } from "../gates/url";
import type { ChannelConfig, ChannelType } from "../shared/channel";
import { AppError } from "../shared/errors";
import { notifiers } from "./index";
import { showUrl } from "./show-url";

interface Address {
	readonly type: ChannelType;
	readonly url: string;
	readonly config: ChannelConfig;
}

interface AddressRules {
	/** Development only. */
	readonly allowLoopback: boolean;
}

/** A sentence that says why nothing may be sent to a channel's address, or undefined. */
export function refuseAddress({ type, url, config }: Address, { allowLoopback }: AddressRules): string | undefined {
	const { hosts } = notifiers[type];
	const entries = config.allowHost === undefined ? [] : [config.allowHost];
	const verdict = judgeUrl(url, { mode: "public", allowLoopback, ...(entries.length > 0 && { entries }) });
	if (!verdict.ok) return verdict.message;
	const { hostname, host } = verdict.url;
	if (!hosts || hosts.includes(hostname) || entriesFor(entries, hostname).length > 0) return undefined;
	if (hostKind(hostname).startsWith("loopback")) return undefined;
	return `${host} is no host of ${type} (${hosts.join(", ")}). For a gateway in front of it set config.allowHost to "${host}".`;
}

/**
 * Turns what an operator pasted into the address to store and the one to show.
 * Throws `invalid_input` with a sentence that names the field and the fix.
 */
export function readAddress(
	channel: Address & { readonly secret: string | undefined },
	rules: AddressRules,
): { url: string; urlShown: string } {
	const { type, config, secret } = channel;
	checkAllowHost(config);
	if (channel.url.trim() === showUrl(channel.url)) {
		throw new AppError("invalid_input", "url: this is what is shown of an address; paste the whole of it.");
	}
	const url = notifiers[type].normalise(channel.url, config, secret);
	const refusal = refuseAddress({ type, url, config }, rules);
	if (refusal) throw new AppError("invalid_input", `url: ${refusal}`);
	return { url, urlShown: showUrl(url) };
}

function checkAllowHost({ allowHost }: ChannelConfig): void {
	if (allowHost === undefined) return;
	const entry = parseHostEntry(allowHost);
	if (!entry.ok) throw new AppError("invalid_input", `config.allowHost: ${entry.problem}`);
}
