import * as z from "zod";

/** A name that stands in paths and prompts: letters, digits, `_`, `-`, `.`; at most 64 characters. */
export const resourceName = z
	.string()
	.regex(
		/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
		"Use 1 to 64 letters, digits, '_', '-' or '.', starting with a letter or digit.",
	);

/** A channel name may be in any script (`运维群`), but has no control characters or slashes. */
export const channelName = z
	.string()
	.min(1)
	.max(128)
	.regex(/^[^\p{Cc}/\\]+$/u, "Use no control characters or slashes.")
	.refine((name) => name.trim() === name, "Use no blanks at either end.");

/** A session id chosen by a client; a dot is not allowed, since a turn id is `<session>.<suffix>`. */
export const sessionIdSchema = z
	.string()
	.regex(/^[A-Za-z0-9][A-Za-z0-9_:@-]{0,127}$/, "Use 1 to 128 letters, digits, '_', '-', ':' or '@'.");
