/**
 * One text for one value, whatever the order of its keys (RFC 8785): for digests and comparisons.
 * Absent is the same as undefined. Throws a TypeError for what JSON has no word for.
 */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
	if (typeof value === "object" && value !== null) return canonicalObject(value);
	if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("JSON has no infinite numbers.");
	const text = JSON.stringify(value);
	if (text === undefined) throw new TypeError(`JSON has no ${typeof value}.`);
	return text;
}

function canonicalObject(value: object): string {
	if ("toJSON" in value && typeof value.toJSON === "function") return canonicalJson(value.toJSON());
	const members = Object.entries(value)
		.filter(([, member]) => member !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
	return `{${members.join(",")}}`;
}
