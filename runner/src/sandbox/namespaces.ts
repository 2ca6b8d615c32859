import type { Backend } from "./backend";
import { findProgram, type Host } from "./host";
import { landlock, reachableFiles } from "./landlock";
import { confine, egressOption, insideOf, superviseWrapper, userOption } from "./launcher-options";

/** Own process, network and other namespaces; files by Landlock, since the folders are the runner's. */
export function namespaces(host: Host): Backend | string {
	const unshare = findProgram("unshare");
	if (!unshare) return "There is no program unshare (Debian: util-linux).";
	const alone = landlock(host);
	if (typeof alone === "string") return alone;
	return {
		...alone,
		name: "namespaces",
		egressProblem: undefined,
		layers: ["namespaces", ...alone.layers],
		wrap(command, place, limits) {
			const own = ["--user", "--map-current-user", "--mount", "--mount-proc", "--ipc", "--uts", "--cgroup"];
			if (!place.network) own.push("--net");
			// Loopback begins down, and the launcher raises it; the program has nothing of this right.
			if (place.egress !== undefined) own.push("--keep-caps");
			const inside = confine(host, command, place, limits, {
				cwd: insideOf(place, place.folder),
				files: reachableFiles(host, place, ["/proc", "/sys/devices/system/cpu"]),
				otherTasks: 0,
				sharesNetwork: false,
				seesSockets: true,
			});
			const init = [host.launcher ?? "", "init", ...inside, "--", command.program, ...command.args];
			return superviseWrapper(host, command, limits, {
				options: [...userOption(place), ...egressOption(place), "--init"],
				wrapper: [unshare, ...own, "--pid", "--fork", "--kill-child", "--", ...init],
			});
		},
	};
}
