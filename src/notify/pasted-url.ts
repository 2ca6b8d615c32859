import { AppError } from "../shared/errors";

/** What makes a pasted address one of its type, and the sentence for one that is not. */
interface AddressShape {
	readonly hosts: readonly string[];
	readonly path: RegExp;
	/** A query parameter that must be there. */
	readonly key?: string;
	readonly example: string;
}

/**
 * Reads a pasted address. At the provider's own host its path and key are checked; another host is a gateway that may have any path.
 * Throws `invalid_input`.
 */
export function pastedUrl(raw: string, { hosts, path, key, example }: AddressShape): URL {
	const url = anyUrl(raw, example);
	if (!hosts.includes(url.hostname)) return url;
	const complete = path.test(url.pathname) && (key === undefined || url.searchParams.get(key));
	if (!complete)
		throw new AppError("invalid_input", `url: this is no address of a message bot; it looks like ${example}.`);
	return url;
}

/** Throws `invalid_input` for what is no URL; a fragment is dropped. */
export function anyUrl(raw: string, example: string): URL {
	const url = URL.parse(raw.trim());
	if (!url) throw new AppError("invalid_input", `url: paste the whole address, such as ${example}.`);
	url.hash = "";
	return url;
}
