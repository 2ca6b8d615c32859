/** `https://host/…`: all of a channel's address that people and logs may see, since the rest is its credential. */
export function showUrl(url: string): string {
	const parsed = URL.parse(url);
	return parsed ? `${parsed.protocol}//${parsed.host}/…` : "…";
}
