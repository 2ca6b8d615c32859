/** A command line that runs a program with just these arguments: each is quoted, so that the shell sees nothing to expand or split. */
export const commandLine = (executable: string, args: readonly string[]): string =>
	[executable, ...args].map(quote).join(" ");

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
