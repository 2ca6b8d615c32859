import { RE2JS } from "re2js";

/** Whether a file's name matches a shell pattern of `*`, `?` and brackets. */
export function matchesWildcards(pattern: string, name: string): boolean {
	const parts = pattern.match(/\[[!^]?\]?[^\]]*\]|\\[\s\S]|[\s\S]/g) ?? [];
	const translated = parts.map((part) => {
		if (part === "*") return "[^/]*";
		if (part === "?") return "[^/]";
		if (part.startsWith("[") && part.length > 1) return part.replace(/^\[!/, "[^").replaceAll("\\", "\\\\");
		return RE2JS.quote(part.length > 1 ? part.slice(1) : part);
	});
	return RE2JS.compile(translated.join("")).matches(name);
}
