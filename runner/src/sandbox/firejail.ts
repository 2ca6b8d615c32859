import type { Backend, Place } from "./backend";
import { findProgram, type Host } from "./host";
import { landlock, reachableFiles } from "./landlock";
import { confine, insideOf, superviseWrapper, userOption } from "./launcher-options";

/** Firejail is a setuid program, so everything that would keep it from gaining privileges comes within it. */
export function firejail(host: Host): Backend | string {
	const program = findProgram("firejail");
	if (!program) return "There is no program firejail.";
	if (!host.launcher) return landlockReason(host);
	const inner = [...(host.landlockAbi > 0 ? ["landlock"] : []), ...(host.hasSeccomp ? ["seccomp"] : [])];
	return {
		name: "firejail",
		layers: ["firejail", ...inner],
		hasMounts: false,
		unsupportedLimits: [],
		wrap(command, place, limits) {
			const inside = confine(host, command, place, limits, {
				cwd: insideOf(place, place.folder),
				files: reachableFiles(host, place, ["/proc", "/sys/devices/system/cpu"]),
				otherTasks: 0,
				sharesNetwork: false,
				seesSockets: true,
			});
			const wrapped = superviseWrapper(host, command, limits, {
				options: ["--keep-privileges", "--init"],
				wrapper: [program, ...firejailOptions(host, place), "--", host.launcher ?? "", "init"],
				// Firejail starts for nobody but users with a name, which that of a place has not.
				inside: [...userOption(place), ...inside],
			});
			// The bash that firejail starts takes a socket for a remote shell's and reads its profile, unless it is a nested one.
			return { ...wrapped, env: { ...wrapped.env, SHLVL: "2" } };
		},
	};
}

const landlockReason = (host: Host): string => {
	const reason = landlock(host);
	return typeof reason === "string" ? reason : "The launcher is missing.";
};

const firejailOptions = (host: Host, place: Place): string[] => [
	...["--quiet", "--noprofile", "--keep-fd=3", "--nonewprivs", "--private-dev"],
	...(host.isRoot ? ["--caps.keep=setuid,setgid"] : ["--caps.drop=all", "--noroot"]),
	...(place.network ? [] : ["--net=none"]),
	...["--read-only=/", `--read-write=${place.folder}`, `--read-write=${place.temporary}`, `--read-only=${host.folder}`],
];
