import path from "node:path";
import type { ProgramLimits } from "../../../src/shared/runner";
import type { Backend, Command, Place, Wrapped } from "./backend";
import { findProgram, type Host } from "./host";
import { launcherMissing } from "./landlock";
import { confine, egressOption, insideOf, superviseWrapper, userOption } from "./launcher-options";
import { makeFolders, removePlaceholders } from "./placeholders";
import { shownLauncher } from "./root-folder";
import { plainUnsupportedLimits, startPlainly } from "./start-plainly";
import { foldersAbove, mountablePaths, resolverFile, systemFolders } from "./system-files";

/** Own namespaces and a root of its own with nothing in it but programs; Landlock and system call filters within. */
export function bubblewrap(host: Host): Backend | string {
	const bwrap = findProgram("bwrap");
	if (!bwrap) return "There is no program bwrap (Debian: apt-get install bubblewrap).";
	const inner = host.launcher
		? [...(host.landlockAbi > 0 ? ["landlock"] : []), ...(host.hasSeccomp ? ["seccomp"] : [])]
		: [];
	return {
		name: "bubblewrap",
		layers: ["bubblewrap", ...inner],
		hasMounts: true,
		unsupportedLimits: host.launcher ? [] : plainUnsupportedLimits(host),
		egressProblem: host.launcher ? undefined : launcherMissing,
		wrap(command, place, limits) {
			const { args, placeholders } = mounts(host, place);
			const wrapped = host.launcher
				? withLauncher(host, [bwrap, ...args], command, place, limits)
				: withoutLauncher([bwrap, ...args], command, place, limits);
			return { ...wrapped, release: () => removePlaceholders(place.folder, placeholders) };
		},
	};
}

function withLauncher(host: Host, wrapper: string[], command: Command, place: Place, limits: ProgramLimits): Wrapped {
	const inside = confine(host, command, place, limits, {
		cwd: insideOf(place, "/workspace"),
		files: { read: ["/"], write: ["/workspace", "/tmp", "/dev"] },
		otherTasks: 0,
		sharesNetwork: false,
		seesSockets: false,
	});
	const init = [shownLauncher, "init", ...inside, "--", command.program, ...command.args];
	return superviseWrapper(host, command, limits, {
		options: [...userOption(place), ...egressOption(place), "--init"],
		wrapper: [...wrapper, "--as-pid-1", "--chdir", "/", "--", ...init],
	});
}

function withoutLauncher(wrapper: string[], command: Command, place: Place, limits: ProgramLimits): Wrapped {
	return startPlainly(command, place, limits, [...wrapper, "--chdir", insideOf(place, "/workspace"), "--"]);
}

function mounts(host: Host, place: Place): { args: string[]; placeholders: string[][] } {
	const namespaces = ["--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"];
	const args = [...namespaces, "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000", "--hostname", "runner"];
	if (place.network) args.push("--share-net");
	args.push("--ro-bind", host.root, "/");
	for (const { path: folder, link } of systemFolders()) {
		if (!link) args.push("--ro-bind", folder, folder);
	}
	if (place.network) args.push("--ro-bind-try", resolverFile, resolverFile);
	args.push("--proc", "/proc", "--dev", "/dev", "--bind", place.temporary, "/tmp");
	// Shared memory lies on the disk as well: a file system in memory would be out of every limit's sight.
	args.push("--bind", place.temporary, "/dev/shm", "--remount-ro", "/dev", "--bind", place.folder, "/workspace");
	const protectedPaths = mountablePaths(place.folder, place.protectedPaths);
	makeFolders(
		place,
		protectedPaths.flatMap(({ missing }) => missing?.slice(1) ?? []),
	);
	for (const folder of foldersAbove(protectedPaths.map(({ relative }) => relative))) {
		// A mounted folder cannot be renamed, which would take what is protected in it elsewhere.
		const shown = path.posix.join("/workspace", folder);
		args.push("--bind", path.join(place.folder, folder), shown);
	}
	for (const { relative, missing } of protectedPaths) {
		const shown = path.posix.join("/workspace", relative);
		args.push("--ro-bind", missing ? "/dev/null" : path.join(place.folder, relative), shown);
	}
	return { args, placeholders: protectedPaths.flatMap(({ missing }) => (missing ? [missing] : [])) };
}
