/** A copy of a JSON value in which every text, keys included, has gone through `redact`. */
export function redactValues<Value>(value: Value, redact: (text: string) => string): Value {
	return copyOf(value, redact) as Value;
}

function copyOf(value: unknown, redact: (text: string) => string): unknown {
	if (typeof value === "string") return redact(value);
	if (Array.isArray(value)) return value.map((item) => copyOf(item, redact));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, member]) => [redact(key), copyOf(member, redact)]));
}
