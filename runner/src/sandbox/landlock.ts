import type { Backend, Place } from "./backend";
import type { Host } from "./host";
import { type Confinement, confine, insideOf, ownTasks, superviseProgram } from "./launcher-options";
import { configuration, devices, machineFiles, resolverFile, systemFolders } from "./system-files";

export const launcherMissing =
	"The launcher was not built: it needs a C compiler (Debian: apt-get install gcc libc6-dev), or an image that has it.";

/** Landlock and system call filters alone: works where no namespace can be made, such as in most containers. */
export function landlock(host: Host): Backend | string {
	if (!host.launcher) return launcherMissing;
	if (host.landlockAbi === 0) return "The kernel has no Landlock, or does not let this process use it.";
	if (!host.hasSeccomp) return "The kernel has no system call filters, and Landlock alone leaves the network open.";
	return {
		name: "landlock",
		layers: ["landlock", "seccomp"],
		hasMounts: false,
		unsupportedLimits: [],
		egressProblem: "Landlock alone cannot hold a program to a proxy: it has no network namespace of its own.",
		wrap(command, place, limits) {
			const how: Confinement = {
				cwd: insideOf(place, place.folder),
				files: reachableFiles(host, place, machineFiles),
				otherTasks: ownTasks(place),
				sharesNetwork: true,
				seesSockets: true,
			};
			return superviseProgram(host, command, place, confine(host, command, place, limits, how));
		},
	};
}

/** What a program may read and write where it sees the runner's own folders. */
export const reachableFiles = ({ launcher }: Host, place: Place, more: readonly string[]) => ({
	read: [
		...systemFolders().map((system) => system.path),
		...configuration,
		...(place.network ? [resolverFile] : []),
		"/etc/passwd",
		"/etc/group",
		...(launcher ? [launcher] : []),
		...more,
	],
	write: [place.folder, place.temporary, ...devices],
});
