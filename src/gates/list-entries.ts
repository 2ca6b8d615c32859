import { AppError } from "../shared/errors";
import type { WhitelistCategory } from "../shared/whitelist";
import { parseHostEntry, showHostEntry } from "./host-entry";

const maxLength = 1024;

/** The one spelling under which a list entry is stored. Throws `invalid_input` with a sentence that says how to write it. */
export function normaliseEntry(category: WhitelistCategory, value: string): string {
	if (value === "") throw refused(category, "It is empty.");
	if (value.length > maxLength) throw refused(category, `It is longer than ${maxLength} characters.`);
	if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value))
		throw refused(category, "It holds a control or an invisible character.");
	if (value.trim() !== value) throw refused(category, "Leave out the blanks at its ends.");
	return normalisers[category](value);
}

const refused = (category: WhitelistCategory, why: string) =>
	new AppError("invalid_input", `This entry cannot be on the ${category} list. ${why}`);

const normalisers: Readonly<Record<WhitelistCategory, (value: string) => string>> = {
	HTTP(value) {
		const parsed = parseHostEntry(value);
		if (!parsed.ok) throw refused("HTTP", parsed.problem);
		return showHostEntry(parsed.entry);
	},
	FILE(value) {
		if (value.startsWith("~"))
			throw refused("FILE", 'A "~" has no meaning here: write the path from "/" or from the workspace.');
		if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) throw refused("FILE", "Write a path, not a URL.");
		if (value.includes("\\")) throw refused("FILE", 'Separate folders by "/".');
		const segments = value.split("/");
		if (segments.includes("..")) throw refused("FILE", 'Write the path without "..".');
		const kept = segments.filter((segment) => segment !== "" && segment !== ".").join("/");
		if (value.startsWith("/")) return `/${kept}`;
		return kept || ".";
	},
	SHELL(value) {
		if (!/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(value)) {
			throw refused("SHELL", "Write one command word or path, without arguments, blanks, quotes or shell characters.");
		}
		if (value.startsWith("-")) throw refused("SHELL", "A command does not begin with a dash.");
		if (/^\w+=/.test(value)) throw refused("SHELL", "This would be an assignment, not a command.");
		return value;
	},
};
