import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { ProgramLimits } from "../../../src/shared/runner";
import type { Backend, Command, Place } from "./backend";
import { findProgram, type Host } from "./host";
import { launcherMissing } from "./landlock";
import { confine, insideOf, maxTasks, superviseWrapper } from "./launcher-options";
import { shownLauncher } from "./root-folder";

/** Made from runner/Dockerfile; never pulled. */
const image = "oryx-edge-runner";

/** A container for each program, by a docker daemon beside the runner that sees the runner's own folders. */
export function docker(host: Host): Backend | string {
	const client = findProgram("docker");
	if (!client) return "There is no program docker.";
	if (!host.launcher) return launcherMissing;
	const inner = [...(host.landlockAbi > 0 ? ["landlock"] : []), ...(host.hasSeccomp ? ["seccomp"] : [])];
	return {
		name: "docker",
		layers: ["docker", ...inner],
		hasMounts: true,
		unsupportedLimits: [],
		egressProblem: "Docker hands the program's launcher no line to the runner, by which a proxy would be reached.",
		wrap(command, place, limits) {
			const name = `oryx-${randomUUID()}`;
			const inside = confine(host, command, place, limits, {
				cwd: insideOf(place, "/workspace"),
				files: { read: ["/"], write: ["/workspace", "/tmp", "/dev"] },
				otherTasks: 0,
				sharesNetwork: false,
				seesSockets: false,
			});
			const init = ["init", ...inside, "--", command.program, ...command.args];
			const wrapped = superviseWrapper(host, command, limits, {
				options: ["--wrapper"],
				wrapper: [client, ...runOptions(host, command, place, limits, name), image, ...init],
			});
			// The client's end is not the container's.
			return {
				...wrapped,
				release: () => void spawn(client, ["kill", name], { stdio: "ignore" }).on("error", () => {}),
			};
		},
	};
}

function runOptions(host: Host, command: Command, place: Place, limits: ProgramLimits, name: string): string[] {
	const user = place.uid ?? process.getuid?.();
	const volumes = [`${place.folder}:/workspace`, `${place.temporary}:/tmp`, `${host.launcher}:${shownLauncher}:ro`];
	for (const relative of place.protectedPaths) volumes.push(`${place.folder}/${relative}:/workspace/${relative}:ro`);
	return [
		...["run", "--rm", "--interactive", "--name", name, "--pull", "never", "--read-only", "--user", `${user}:${user}`],
		...["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--entrypoint", shownLauncher],
		...["--network", place.network ? "bridge" : "none", "--pids-limit", String(maxTasks(limits))],
		...["--memory", `${limits.maxMemoryMb}m`, "--memory-swap", `${limits.maxMemoryMb}m`],
		...["--cpus", String(limits.maxCpuPercent / 100)],
		...volumes.flatMap((volume) => ["--volume", volume]),
		...Object.keys(command.env).flatMap((variable) => ["--env", variable]),
	];
}
