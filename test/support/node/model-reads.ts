import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { SampleProject } from "./sample-project";

/** What a model must read about work on a project: the work is done on the disk, by other programs than ours. */
export function modelReads({ base, run, lines, read }: SampleProject) {
	const write = (file: string, text: string): string => {
		mkdirSync(path.join(base, path.dirname(file)), { recursive: true });
		writeFileSync(path.join(base, file), text);
		return `/workspace/${file}: ${Buffer.byteLength(text)} bytes.`;
	};
	return {
		/** A directory, so many levels deep. */
		listing(folder: string, depth: number): string {
			const top = path.join(base, folder);
			const names = inWalkOrder(readdirSync(top, { recursive: true, encoding: "utf8" }));
			const found = names.filter((name) => levelOf(name) <= depth);
			const shown = found.slice(0, 500);
			const isUnopened = (name: string) => levelOf(name) === depth && isDirectory(path.join(top, name));
			const unopened = depth === 1 ? 0 : shown.filter(isUnopened).length;
			return told(
				[`/workspace/${folder}:`, ...shown.map((name) => entry(top, name))],
				found.length > 500 && `${found.length - 500} more entries are not shown. List a directory below, or use glob.`,
				unopened > 0 &&
					`Not looked into: ${unopened} directories at level ${depth}. List one of them, or ask for more levels.`,
			);
		},
		/** Some lines of a file, not up to its end. */
		part(file: string, first: number, count: number): string {
			const bytes = read(file);
			const all = bytes.toString().split(/(?<=\n)/);
			const last = first + count - 1;
			const text = all.slice(first - 1, last).join("");
			const start = Buffer.byteLength(all.slice(0, first - 1).join(""));
			const range = `bytes ${start}-${start + Buffer.byteLength(text)} of ${bytes.length}`;
			return `${text}[/workspace/${file}: lines ${first}-${last} of ${all.length}, ${range}. Read on with offset ${last + 1}.]`;
		},
		/** What find finds. */
		paths(find: string): string {
			const found = inWalkOrder(lines(`find ${find}`));
			const more = found.length - 200;
			return told(found.slice(0, 200), more > 0 && `${more} more fit. Narrow the pattern, or say a directory in path.`);
		},
		/** What GNU grep finds. */
		findings(grep: string): string {
			const found = inWalkOrder(lines(`grep -rn ${grep} | tr -d "\\r"`), (line) => line.slice(0, line.indexOf(":")));
			const more = found.length - 200;
			return told(
				found.slice(0, 200),
				more > 0 && `${more} more lines match. Narrow the search with path, include or a longer pattern.`,
			);
		},
		/** What bash answers; `changed` are the files that it changes. */
		outcome(command: string, changed: readonly string[] = []): string {
			const output = run(command).replace(/\n$/, "");
			const shown = output === "" ? ["(no output)"] : ["--- stdout ---", output];
			const files = changed.map((file) => `/workspace/${file}`).join(", ");
			return told(["exit code 0", ...shown], changed.length > 0 && `Changed: ${files}`);
		},
		/** A text that stands in a file once, replaced. */
		edit(file: string, before: string, after: string): string {
			const [head = "", tail = ""] = read(file).toString().split(before);
			write(file, head + after + tail);
			return `Edited /workspace/${file} at line ${head.split("\n").length}: it has ${read(file).length} bytes now.`;
		},
		create: (file: string, text: string): string => `Created ${write(file, text)}`,
		overwrite: (file: string, text: string): string => `Overwrote ${write(file, text)}`,
		remove(file: string): string {
			rmSync(path.join(base, file));
			return `Deleted the file /workspace/${file}.`;
		},
	};
}

/** Lines, and in brackets what is said about them. */
const told = (lines: readonly string[], ...notes: readonly (string | false)[]): string =>
	[...lines, ...notes.flatMap((note) => (note ? [`[${note}]`] : []))].join("\n");

/** Names in byte order, what is in a directory behind its own name. */
function inWalkOrder(lines: readonly string[], pathOf = (line: string) => line): string[] {
	const key = (line: string) => Buffer.from(pathOf(line).replaceAll("/", "\0"));
	return lines.toSorted((a, b) => Buffer.compare(key(a), key(b)));
}

const levelOf = (name: string): number => name.split("/").length;
const isDirectory = (file: string): boolean => statSync(file).isDirectory();

function entry(top: string, name: string): string {
	const stat = statSync(path.join(top, name));
	const time = stat.mtime.toISOString().slice(0, 16).replace("T", " ");
	const size = stat.isDirectory() ? "-" : String(stat.size);
	return `${time}  ${size.padStart(9)}  ${name}${stat.isDirectory() ? "/" : ""}`;
}
