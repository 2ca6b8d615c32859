import type { environmentNames } from "../../../src/shared/runner";
import type { Place, Sandbox } from "../sandbox/sandbox";

type Name = (typeof environmentNames)[number];

/** Where programs are looked for, in the sandbox and out of it. */
export const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Exactly the nine variables of a program: the runner's own choice, and `given` where a request may choose. */
export function programEnvironment(
	sandbox: Pick<Sandbox, "pathOf" | "temporaryOf">,
	place: Place,
	given: Partial<Record<Exclude<Name, "PATH" | "HOME" | "TMPDIR">, string>> = {},
): Record<Name, string> {
	const chosen = {
		TERM: "dumb",
		LANG: "C.UTF-8",
		LC_ALL: "C.UTF-8",
		LC_CTYPE: "C.UTF-8",
		USER: "user",
		SHELL: "/bin/sh",
	};
	return {
		...chosen,
		...given,
		PATH: searchPath,
		HOME: sandbox.pathOf(place),
		TMPDIR: sandbox.temporaryOf(place),
	};
}
