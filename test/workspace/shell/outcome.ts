/** What a command line did: what it printed and what became of the files. */
export interface LineOutcome {
	readonly stdout: string;
	readonly exitCode: number;
	/** Each path that is there afterwards and was not so before, and each that is gone. */
	readonly changes: Readonly<Record<string, string>>;
}

/** By path, what is there: `file 644 text`, `directory 755`, `link target`. */
export type Tree = Readonly<Record<string, string>>;

export function changesBetween(before: Tree, after: Tree): Record<string, string> {
	const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
	return Object.fromEntries(
		paths.filter((path) => before[path] !== after[path]).map((path) => [path, after[path] ?? "gone"]),
	);
}

export const describeFile = (mode: number, bytes: Uint8Array): string =>
	`file ${(mode & 0o777).toString(8)} ${new TextDecoder("latin1").decode(bytes)}`;

export const describeDirectory = (mode: number): string => `directory ${(mode & 0o777).toString(8)}`;

export const describeLink = (target: string): string => `link ${target}`;
