import { utf8Length } from "../lib/text";

export type PathVerdict =
	| { ok: true; path: string }
	| { ok: false; reason: "invalid_path" | "name_too_long"; message: string };

const workspace = "/workspace";
const maxPathBytes = 4095;
const maxNameBytes = 255;

/** The absolute form of a path, by its text alone: relative ones begin in /workspace, `.` and `..` are resolved. Nothing is decoded, folded or expanded. */
export function resolvePath(raw: string): PathVerdict {
	const invalid = (message: string): PathVerdict => ({ ok: false, reason: "invalid_path", message });
	if (raw === "") return invalid("The path is empty.");
	if (/\p{Cc}/u.test(raw)) return invalid("The path holds a control character.");
	if (raw.startsWith("~")) return invalid('A "~" has no meaning here: write the path from "/" or from the workspace.');
	if (utf8Length(raw) > maxPathBytes) return invalid(`The path is longer than ${maxPathBytes} bytes.`);
	const kept: string[] = [];
	for (const segment of (raw.startsWith("/") ? raw : `${workspace}/${raw}`).split("/")) {
		if (segment === "..") kept.pop();
		else if (segment !== "" && segment !== ".") kept.push(segment);
	}
	if (kept.some((segment) => utf8Length(segment) > maxNameBytes)) {
		return { ok: false, reason: "name_too_long", message: `A name in the path is longer than ${maxNameBytes} bytes.` };
	}
	return { ok: true, path: `/${kept.join("/")}` };
}

/** Whether an absolute path is one of the roots or lies below one, by whole segments. */
export function isUnder(path: string, roots: readonly string[]): boolean {
	return roots.some((root) => {
		const resolved = resolvePath(root);
		return resolved.ok && (resolved.path === "/" || path === resolved.path || path.startsWith(`${resolved.path}/`));
	});
}
