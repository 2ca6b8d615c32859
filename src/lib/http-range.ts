export type RangeVerdict =
	| { readonly kind: "whole" }
	| { readonly kind: "part"; readonly offset: number; readonly length: number }
	| { readonly kind: "unsatisfiable" };

/** What of a file a Range header asks for (RFC 9110, section 14). Several ranges, other units and what cannot be read mean the whole. */
export function resolveRange(header: string | undefined, size: number): RangeVerdict {
	const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
	const [, first = "", last = ""] = match ?? [];
	if (first === "" && last === "") return { kind: "whole" };
	if (first === "") return part(Math.max(0, size - Number(last)), size);
	if (last !== "" && Number(last) < Number(first)) return { kind: "whole" };
	return part(Number(first), last === "" ? size : Math.min(size, Number(last) + 1));
}

const part = (start: number, end: number): RangeVerdict =>
	start < end ? { kind: "part", offset: start, length: end - start } : { kind: "unsatisfiable" };

/** The tags of an If-Match or If-None-Match header without their quotes; weak ones only where the comparison may be weak. */
export function entityTags(
	header: string | undefined,
	comparison: "strong" | "weak",
): readonly string[] | "*" | undefined {
	if (header === undefined) return undefined;
	if (header.trim() === "*") return "*";
	const tags = [...header.matchAll(/(W\/)?"([^"]*)"/g)];
	return tags.filter(([, weak]) => comparison === "weak" || !weak).map(([, , tag = ""]) => tag);
}
