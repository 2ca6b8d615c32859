import { FsError } from "../fs-error";
import { FileRefused } from "../guarded";
import { type Run, RunEnded } from "./run";

/** Does one thing with files for a command; `verb` and `path` are how its error names it. */
export type FileCall = <Result>(verb: string, path: string, run: () => Result) => Promise<Result>;

export interface FileCalls {
	readonly call: FileCall;
	/** Of the refused paths, what the gate said, each once. */
	readonly refusals: ReadonlySet<string>;
}

/**
 * The way from a command to the files: each call is a step of the run, and what goes wrong is told in the words that just-bash's
 * commands understand. A refusal is the command's error; what is no error of files ends the run.
 */
export function fileCalls(run: Run, read: <Result>(run: () => Result) => Promise<Result>): FileCalls {
	const refusals = new Set<string>();
	return {
		refusals,
		async call(verb, path, act) {
			await run.step();
			try {
				return await read(() => {
					run.check();
					return act();
				});
			} catch (error) {
				if (error instanceof RunEnded) throw error;
				if (error instanceof FsError) throw new Error(`${error.message.replace(/, '.*$/s, "")}, ${verb} '${path}'`);
				if (!(error instanceof FileRefused)) {
					run.fail(error);
					throw new RunEnded();
				}
				refusals.add(error.message);
				throw new Error(`EACCES: permission denied, ${verb} '${path}'`);
			}
		},
	};
}
