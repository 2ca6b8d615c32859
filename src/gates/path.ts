import { utf8Length } from "../lib/text";

export type PathVerdict =
	| { ok: true; path: string }
	| { ok: false; reason: "invalid_path" | "name_too_long"; message: string };

const workspace = "/workspace";
const maxPathBytes = 4095;
const maxNameBytes = 255;

/** The absolute form of a path, by its text alone: relative ones begin in `root`, `.` and `..` are resolved. Nothing is decoded, folded, trimmed or expanded. */
export function resolvePath(raw: string, root = workspace): PathVerdict {
	const problem = problemOf(raw);
	if (problem) return { ok: false, reason: "invalid_path", message: problem };
	const kept: string[] = [];
	for (const segment of (raw.startsWith("/") ? raw : `${root}/${raw}`).split("/")) {
		if (segment === "..") kept.pop();
		else if (segment !== "" && segment !== ".") kept.push(segment);
	}
	if (kept.some((segment) => utf8Length(segment) > maxNameBytes)) {
		return { ok: false, reason: "name_too_long", message: `A name in the path is longer than ${maxNameBytes} bytes.` };
	}
	return { ok: true, path: `/${kept.join("/")}` };
}

function problemOf(raw: string): string | undefined {
	if (raw === "") return "The path is empty.";
	if (/\p{Cc}/u.test(raw)) return "The path holds a control character.";
	if (/\p{Cs}/u.test(raw)) return "The path holds half of a character, which no name can.";
	if (raw.startsWith("~")) return 'A "~" has no meaning here: write the path from "/" or from the workspace.';
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(raw)) return "This is a URL: write a path.";
	if (utf8Length(raw) > maxPathBytes) return `The path is longer than ${maxPathBytes} bytes.`;
	return undefined;
}

/** Whether an absolute path is one of the roots or lies below one, by whole segments. Relative roots begin in `base`. */
export function isUnder(path: string, roots: readonly string[], base = workspace): boolean {
	return roots.some((root) => {
		const resolved = resolvePath(root, base);
		return resolved.ok && isWithin(path, resolved.path);
	});
}

/** The same for one root that is absolute and normal. */
export const isWithin = (path: string, root: string): boolean =>
	root === "/" || path === root || path.startsWith(`${root}/`);
