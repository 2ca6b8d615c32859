import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import { launchers } from "../../../src/shared/runner-servers";

/** Whether a bare name may start a server: one of the known launchers, or one that an administrator added. */
export const isLauncher = (command: string, added: readonly string[]): boolean =>
	(launchers as readonly string[]).includes(command) || added.includes(command);

/** The file that a bare name stands for in a search path; undefined when there is none that can be run. */
export async function findProgram(command: string, searchPath: string): Promise<string | undefined> {
	for (const folder of searchPath.split(path.delimiter).filter(path.isAbsolute)) {
		const file = path.join(folder, command);
		if (await isRunnable(file)) return file;
	}
	return undefined;
}

async function isRunnable(file: string): Promise<boolean> {
	try {
		await access(file, constants.X_OK);
		return (await stat(file)).isFile();
	} catch {
		return false;
	}
}
