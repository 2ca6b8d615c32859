import type { ProgramLimits, SandboxReport } from "../../../src/shared/runner";
import type { Command, Place, Wrapped } from "./backend";
import type { Host } from "./host";
import { maxTasks } from "./launcher-options";

const maxFileBytes = 2 ** 30;
/** A descriptor that the runner was born with passes every sandbox. */
const closeDescriptors = `
for file in /proc/self/fd/*; do
	number=\${file##*/}
	test "$number" -gt 2 && eval "exec $number>&-"
done
exec "$@"`;
/** Set by bash and by wrappers. */
const strangers = ["PWD", "OLDPWD", "SHLVL", "_"];

/** Does without the launcher what bash and util-linux can of its work: another user, no privileges, limits of each process. */
export function startPlainly(
	command: Command,
	place: Place,
	limits: ProgramLimits,
	wrapper: readonly string[],
): Wrapped {
	const others = strangers.filter((name) => command.env[name] === undefined).flatMap((name) => ["-u", name]);
	const args = [
		...[
			"--norc",
			"--noprofile",
			"-c",
			closeDescriptors,
			"bash",
			"/usr/bin/setpriv",
			...userOptions(place),
			"--no-new-privs",
		],
		...["/usr/bin/prlimit", ...limitOptions(place, limits), ...wrapper, "/usr/bin/env", ...others],
		...[command.program, ...command.args],
	];
	return { program: "/bin/bash", args, env: command.env, isReported: false, release: () => {} };
}

const userOptions = ({ uid }: Place): string[] =>
	uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--bounding-set=-all"];

function limitOptions({ uid }: Place, limits: ProgramLimits): string[] {
	const cpu = limits.maxCpuTimeSeconds;
	const options = ["--core=0", `--fsize=${maxFileBytes}`, `--cpu=${cpu}:${cpu + 1}`, `--nofile=${limits.maxOpenFiles}`];
	// As the runner's own user the program's processes would be counted with all others of it.
	return uid === undefined ? options : [...options, `--nproc=${maxTasks(limits)}`];
}

export function plainUnsupportedLimits({ users }: Host): SandboxReport["unsupportedLimits"] {
	const reason = "Only the launcher can hold it, and that was not built: no C compiler was found.";
	const names = users ? ["maxMemoryMb"] : ["maxMemoryMb", "maxSubprocesses"];
	return names.map((limit) => ({ limit, reason }));
}
