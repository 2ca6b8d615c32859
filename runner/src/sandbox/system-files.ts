import { lstatSync, readlinkSync } from "node:fs";
import path from "node:path";

/** Programs and their libraries. */
const programFolders = ["/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32"];

/** What programs read of /etc, and fail without where it is there and closed to them; the rest, such as shadow, stays hidden. */
export const configuration = [
	"alternatives",
	"bash.bashrc",
	"ca-certificates",
	"debian_version",
	"fonts",
	"gai.conf",
	"gitconfig",
	"host.conf",
	"hosts",
	"inputrc",
	"ld.so.cache",
	"ld.so.conf",
	"ld.so.conf.d",
	"locale.alias",
	"localtime",
	"mime.types",
	"nsswitch.conf",
	"npmrc",
	"os-release",
	"pip.conf",
	"pki",
	"profile",
	"protocols",
	"services",
	"ssl",
	"terminfo",
	"timezone",
].map((name) => `/etc/${name}`);

/** For a program that reaches the network. */
export const resolverFile = "/etc/resolv.conf";

/** Devices that hold nothing. */
export const devices = ["null", "zero", "full", "random", "urandom", "tty"].map((name) => `/dev/${name}`);

/** Of the machine as a whole, for a program that sees the /proc of everybody: nothing in them is of a process. */
export const machineFiles = [
	"/proc/cpuinfo",
	"/proc/filesystems",
	"/proc/loadavg",
	"/proc/meminfo",
	"/proc/stat",
	"/proc/sys",
	"/proc/uptime",
	"/proc/version",
	"/sys/devices/system/cpu",
];

/** /usr and its neighbours; a neighbour that only links into /usr is told by its link. */
export function systemFolders(): { path: string; link: string | undefined }[] {
	const neighbours = programFolders.flatMap((folder) => {
		const stat = lstatSync(folder, { throwIfNoEntry: false });
		if (!stat) return [];
		return [{ path: folder, link: stat.isSymbolicLink() ? readlinkSync(folder) : undefined }];
	});
	return [{ path: "/usr", link: undefined }, ...neighbours];
}

/**
 * Protected paths that a mount can lie on, since no link is on the way, which could lead anywhere. `missing` lists what is not there,
 * from the path itself upwards.
 */
export function mountablePaths(folder: string, paths: readonly string[]): { relative: string; missing?: string[] }[] {
	// A mount of a folder is one of all that is in it.
	const all = new Set(paths);
	const topmost = paths.filter((relative) => !foldersAbove([relative]).some((folder) => all.has(folder)));
	return topmost.flatMap((relative) => {
		const parts = relative.split("/");
		const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
		const stats = prefixes.map((prefix) => lstatSync(path.join(folder, prefix), { throwIfNoEntry: false }));
		const isBlocked = stats.some((stat, index) => {
			if (!stat) return false;
			return index < parts.length - 1 ? !stat.isDirectory() : stat.isSymbolicLink();
		});
		if (isBlocked) return [];
		const missing = prefixes.filter((_, index) => !stats[index]).reverse();
		return missing.length > 0 ? [{ relative, missing }] : [{ relative }];
	});
}

/** Each folder on the way to one of the paths, once, those above first. */
export function foldersAbove(paths: readonly string[]): string[] {
	const above = paths.flatMap((relative) => {
		const parts = relative.split("/").slice(0, -1);
		return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
	});
	return [...new Set(above)].sort();
}
