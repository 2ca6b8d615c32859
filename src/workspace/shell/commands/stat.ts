import type { FsStat, ResolvedCommandContext } from "just-bash/browser";
import { modeText } from "./ls";
import { readOptions } from "./options";
import { own, pathOf, reasonOf, result, toBytes, usageError } from "./own";

const defaultFormat = "  File: %N\n  Size: %s\tBlocks: %b\t%F\nAccess: (%a/%A)\nModify: %y";

/** Tells about files themselves, not what links lead to. */
export const stat = own("stat", async (args, context) => {
	const read = readOptions(args, { flags: "Lt", valued: "cP", long: { format: "c", printf: "P", dereference: "L" } });
	if (!read.ok) return usageError("stat", read.message);
	const { options } = read;
	if (options.operands.length === 0) return usageError("stat", "missing operand");
	const printf = options.value("P");
	const format = printf === undefined ? `${options.value("c") ?? defaultFormat}\n` : plainEscapes(printf);
	let [stdout, errors] = ["", ""];
	for (const name of options.operands) {
		try {
			const path = pathOf(context, name);
			const follows = options.has("L") || name.endsWith("/");
			const found = await (follows ? context.fs.stat(path) : context.fs.lstat(path));
			stdout += await filled(format, name, path, found, context);
		} catch (error) {
			errors += `stat: cannot statx '${name}': ${reasonOf(error)}\n`;
		}
	}
	return result(toBytes(stdout), errors, errors === "" ? 0 : 1);
});

const plainEscapes = (text: string): string =>
	text.replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll("\\\\", "\\");

async function filled(
	format: string,
	name: string,
	path: string,
	stat: FsStat,
	{ fs }: ResolvedCommandContext,
): Promise<string> {
	const link = format.includes("%N") && stat.isSymbolicLink ? ` -> '${await fs.readlink(path)}'` : "";
	const seconds = Math.floor(stat.mtime.getTime() / 1_000);
	const size = stat.isDirectory ? 4_096 : stat.size;
	const values: Readonly<Record<string, string | number>> = {
		n: name,
		N: `'${name}'${link}`,
		s: size,
		b: Math.ceil(size / 4_096) * 8,
		B: 512,
		F: kindText(stat),
		a: (stat.isSymbolicLink ? 0o777 : stat.mode).toString(8),
		A: modeText(stat),
		f: (stat.mode + kindBits(stat)).toString(16),
		i: String(stat.ino ?? 0),
		h: stat.isDirectory ? 2 : 1,
		u: 1_000,
		U: "user",
		g: 1_000,
		G: "user",
		y: timeText(stat.mtime),
		x: timeText(stat.mtime),
		z: timeText(stat.mtime),
		w: "-",
		Y: seconds,
		X: seconds,
		Z: seconds,
		W: 0,
		"%": "%",
	};
	return format.replace(/%([a-zA-Z%])/g, (_, letter: string) => String(values[letter] ?? "?"));
}

function kindBits({ isDirectory, isSymbolicLink }: FsStat): number {
	if (isDirectory) return 0o40000;
	return isSymbolicLink ? 0o120000 : 0o100000;
}

function kindText({ isDirectory, isSymbolicLink, size }: FsStat): string {
	if (isDirectory) return "directory";
	if (isSymbolicLink) return "symbolic link";
	return size === 0 ? "regular empty file" : "regular file";
}

const timeText = (time: Date): string => `${time.toISOString().replace("T", " ").replace("Z", "000000")} +0000`;
