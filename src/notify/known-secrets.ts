import type { KnownSecret } from "../lib/redact";
import type { ChannelTarget } from "./notifier";

/** A shorter piece of an address turns up in ordinary words. */
const minLength = 16;

/** What must never be seen of a channel: its secret, and its address whole and in the pieces that give access. */
export function knownSecrets(name: string, { url, secret, config }: ChannelTarget): KnownSecret[] {
	const { pathname, search, searchParams } = new URL(url);
	const pieces = [
		...pathname.split("/"),
		pathname.replace(/^\/bot/, "").replace(/\/.*$/, ""),
		...searchParams.values(),
	];
	const values = [url, `${pathname}${search}`, ...pieces].filter((value) => value.length >= minLength);
	const known = [...values, secret ?? "", config.user ?? ""].filter((value) => value !== "");
	// It comes to stand inside JSON, which a quote would break.
	const shown = `channel ${name.replaceAll('"', "'")}`;
	return known.map((value) => ({ name: shown, value }));
}
