import type { environmentNames } from "../../../src/shared/runner";
import { proxyAddress } from "../../../src/shared/runner-network";
import type { Place, Sandbox } from "../sandbox/sandbox";

type Name = (typeof environmentNames)[number];

/** Where programs are looked for, in the sandbox and out of it. */
export const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** How a program finds the only way out, where it has one. */
const proxyVariables = {
	HTTPS_PROXY: proxyAddress,
	HTTP_PROXY: proxyAddress,
	ALL_PROXY: proxyAddress,
	https_proxy: proxyAddress,
	http_proxy: proxyAddress,
	NO_PROXY: "",
};

/**
 * Exactly the nine variables of a program: the runner's own choice, and `given` where a request may choose. With a way out there are
 * those as well that name its proxy.
 */
export function programEnvironment(
	sandbox: Pick<Sandbox, "pathOf" | "temporaryOf">,
	place: Place,
	given: Partial<Record<Exclude<Name, "PATH" | "HOME" | "TMPDIR">, string>> = {},
): Record<Name, string> & Readonly<Record<string, string>> {
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
		...(place.egress !== undefined && proxyVariables),
	};
}
