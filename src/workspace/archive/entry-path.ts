import { utf8Length } from "../../lib/text";
import { type ArchiveEntry, ArchiveRefused } from "./archive-entry";

const maxNameBytes = 255;
/** Each directory on the way is looked up for each entry. */
const maxDepth = 128;

/** An entry's place below the directory that is unpacked into, as `a/b`; empty for that directory itself. Throws ArchiveRefused. */
export function entryPath({ name }: Pick<ArchiveEntry, "name">): string {
	const refuse = (why: string): never => {
		throw new ArchiveRefused("unsafe_name", why, name);
	};
	if (/\p{Cc}/u.test(name)) refuse("its name holds a control character.");
	if (name.startsWith("/")) refuse("its name is absolute.");
	// What is a folder to Windows is a letter to us, and an archive is for both.
	if (name.includes("\\")) refuse("its name holds a backslash, which some programs take for a slash.");
	if (/^[A-Za-z]:/.test(name)) refuse("its name is absolute on Windows.");
	const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
	if (segments.includes("..")) refuse('its name leads upwards by "..".');
	if (segments.some((segment) => utf8Length(segment) > maxNameBytes)) {
		refuse(`a name in it is longer than ${maxNameBytes} bytes.`);
	}
	if (segments.length > maxDepth) refuse(`it lies deeper than ${maxDepth} directories.`);
	return segments.join("/");
}

/** Whether a link at `path` stays in what is unpacked, by its text. Where it really leads is only known at the end. */
export function staysInside(path: string, target: string): boolean {
	if (target === "" || /^[/\\]|^[A-Za-z]:|\p{Cc}/u.test(target)) return false;
	let depth = path.split("/").length - 1;
	for (const segment of target.split(/[/\\]/)) {
		if (segment === "..") depth--;
		else if (segment !== "" && segment !== ".") depth++;
		if (depth < 0) return false;
	}
	return true;
}
