import type { Command, ExecResult, IFileSystem, ResolvedCommandContext } from "just-bash/browser";
import { StreamDevices } from "./devices";
import { bytesOf, charactersOf } from "./encoding";
import { limitIn, maxCommandElements, overLimit } from "./limits";
import type { Run } from "./run";

/** The files of one command, with its standard streams among the devices. */
export type FilesFor = (streams: StreamDevices) => IFileSystem;

/** A command that is a step of the run, has files of its own, and may not go on where a limit has stopped it. */
export const governed = (command: Command, run: Run, filesFor: FilesFor): Command => ({
	name: command.name,
	async execute(args, context) {
		await run.step();
		const streams = new StreamDevices(() => bytesOf(String(context.stdin)));
		try {
			const result = await command.execute(args, contextFor(command.name, context, filesFor(streams)));
			const limit = limitIn(result);
			if (limit !== undefined) run.end(overLimit(limit));
			return withWritten(result, streams);
		} catch (error) {
			if (error instanceof Error && error.name === "ExecutionLimitError") run.end(overLimit(error.message));
			throw error;
		}
	},
});

/** Commands that a command starts run one after the other, and the text of a script is taken as it is. */
function contextFor(name: string, context: ResolvedCommandContext, fs: IFileSystem): ResolvedCommandContext {
	const { exec, execWithInheritedStdin, fetch } = context;
	const inTurn = takingTurns();
	const own = {
		fs,
		limits: { ...context.limits, maxArrayElements: maxCommandElements },
		...(exec && { exec: inTurn(exec) }),
		...(execWithInheritedStdin && { execWithInheritedStdin: inTurn(execWithInheritedStdin) }),
		fetch: name === "curl" ? fetch : undefined,
	};
	// `stdin` is a getter that marks the input as read, so it is handed on as one.
	return Object.defineProperties(Object.create(null), {
		...Object.getOwnPropertyDescriptors(context),
		...Object.getOwnPropertyDescriptors(own),
	});
}

type Exec<Options> = (script: string, options: Options) => Promise<ExecResult>;

function takingTurns(): <Options extends object>(exec: Exec<Options>) => Exec<Options> {
	let previous: Promise<unknown> = Promise.resolve();
	return (exec) => (script, options) => {
		const next = previous.then(() => exec(script, { ...options, rawScript: true }));
		previous = next.catch(() => {});
		return next;
	};
}

/** What a command wrote to `/dev/stdout` and `/dev/stderr` comes after what it printed. */
function withWritten(result: ExecResult, { written: { stdout, stderr } }: StreamDevices): ExecResult {
	if (stdout.length === 0 && stderr.length === 0) return result;
	const isBytes = result.stdoutKind === "bytes" || result.stdoutEncoding === "binary";
	const printed = isBytes ? result.stdout : charactersOf(new TextEncoder().encode(result.stdout));
	return {
		...result,
		stdout: printed + charactersOf(stdout),
		stdoutKind: "bytes",
		stdoutEncoding: "binary",
		stderr: result.stderr + new TextDecoder().decode(stderr),
	};
}
