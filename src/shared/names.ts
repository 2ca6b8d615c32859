import * as z from "zod";

/** A name that stands in paths and prompts: letters, digits, `_`, `-`, `.`; at most 64 characters. */
export const resourceName = z
	.string()
	.regex(
		/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
		"Use 1 to 64 letters, digits, '_', '-' or '.', starting with a letter or digit.",
	);

/** What nobody sees in a name, or what is half a character; the joiners that scripts and emoji need stay. */
export const unseen =
	/[\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u;

/** A channel name may be in any script (`运维群`), but has nothing that a path or a reader would take for something else. */
export const channelName = z
	.string()
	.min(1)
	.max(128)
	.regex(/^[^\p{Cc}/\\]+$/u, "Use no control characters or slashes.")
	.refine((name) => name.trim() === name, "Use no blanks at either end.")
	.refine((name) => !unseen.test(name), "Use no invisible characters.")
	.refine((name) => !/^\.{1,2}$/.test(name), "A name of dots alone cannot stand in a path.");

/** A session id chosen by a client; a dot is not allowed, since a turn id is `<session>.<suffix>`. */
export const sessionIdSchema = z
	.string()
	.regex(/^[A-Za-z0-9][A-Za-z0-9_:@-]{0,127}$/, "Use 1 to 128 letters, digits, '_', '-', ':' or '@'.");
