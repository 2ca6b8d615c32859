import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Backend, Place } from "./backend";
import { findProgram, type Host } from "./host";
import { launcherMissing, reachableFiles } from "./landlock";
import { confine, egressOption, insideOf, superviseWrapper, userOption } from "./launcher-options";

/** Firejail is a setuid program, so everything that would keep it from gaining privileges comes within it. */
export function firejail(host: Host): Backend | string {
	const program = findProgram("firejail");
	if (!program) return "There is no program firejail.";
	const { launcher } = host;
	if (!launcher) return launcherMissing;
	const inner = [...(host.landlockAbi > 0 ? ["landlock"] : []), ...(host.hasSeccomp ? ["seccomp"] : [])];
	return {
		name: "firejail",
		layers: ["firejail", ...inner],
		hasMounts: false,
		unsupportedLimits: [],
		egressProblem: undefined,
		wrap(command, place, limits) {
			const inside = confine(host, command, place, limits, {
				cwd: insideOf(place, place.folder),
				files: reachableFiles(host, place, ["/proc", "/sys/devices/system/cpu"]),
				otherTasks: 0,
				sharesNetwork: false,
				seesSockets: true,
			});
			// Firejail starts for nobody but users with a name, which that of a place has not; so the launcher in it changes the user.
			const init = ["init", ...userOption(place), ...inside, "--", command.program, ...command.args];
			// Firejail takes 128 arguments at most.
			const file = path.join(path.dirname(host.root), `arguments-${randomUUID()}`);
			writeFileSync(file, init.map((argument) => `${argument}\0`).join(""), { mode: 0o644 });
			const wrapped = superviseWrapper(host, command, limits, {
				options: ["--keep-privileges", ...egressOption(place), "--init"],
				wrapper: [program, ...firejailOptions(host, place), "--", launcher, "init", `@${file}`],
			});
			return {
				...wrapped,
				release: () => rmSync(file, { force: true }),
			};
		},
	};
}

const firejailOptions = (host: Host, place: Place): string[] => [
	...["--quiet", "--noprofile", "--keep-fd=3", "--nonewprivs", "--private-dev"],
	...(host.isRoot ? ["--caps.keep=setuid,setgid,kill"] : ["--caps.drop=all", "--noroot"]),
	...(place.network ? [] : ["--net=none"]),
	...[
		"--read-only=/",
		`--read-write=${place.folder}`,
		`--read-write=${place.temporary}`,
		`--read-only=${path.dirname(host.root)}`,
	],
];
