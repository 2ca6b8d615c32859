import path from "node:path";
import type { ProgramLimits, SandboxBackend, SandboxReport } from "../../../src/shared/runner";
import { refuse } from "../refusal";
import type { Backend, Command, Place, Wrapped } from "./backend";
import { bubblewrap } from "./bubblewrap";
import { type CpuGroups, openCpuGroups } from "./cpu-groups";
import { docker } from "./docker";
import { firejail } from "./firejail";
import { type Host, openHost } from "./host";
import { landlock } from "./landlock";
import { namespaces } from "./namespaces";
import { none } from "./none";
import { tryBackend } from "./trial";
import { tryEgress } from "./trial-egress";

export type { Command, Place, Wrapped } from "./backend";
export { placeUsers } from "./users";

export interface Sandbox {
	readonly report: SandboxReport;
	/** A command that runs `command` confined to `place`. Throws a Refusal when nothing may be run here. */
	wrap(command: Command, place: Place, limits: ProgramLimits): Wrapped;
	/** Where the folder is for the program: /workspace, or its real path where there are no mounts. */
	pathOf(place: Place): string;
	/** Where its temporary folder is for the program. */
	temporaryOf(place: Place): string;
}

export interface SandboxOptions {
	readonly wanted: "auto" | SandboxBackend;
	/** Refuses to run anything rather than without a sandbox. */
	readonly required: boolean;
	/** A folder of the runner's own that every user may pass through. */
	readonly stateFolder: string;
	/** Where the launcher was built to; beside the bundle unless told. */
	readonly launcher?: string;
}

/** Strongest first. */
const candidates = { bubblewrap, namespaces, landlock, docker, firejail } as const satisfies Partial<
	Record<SandboxBackend, (host: Host) => Backend | string>
>;
type Candidate = keyof typeof candidates;
const order = Object.keys(candidates) as Candidate[];

/** Chooses the strongest sandbox that holds in a trial on this machine; `none` only when an operator lets it. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
	const { wanted, required, stateFolder, launcher = path.join(import.meta.dirname, "launcher") } = options;
	const host = openHost(stateFolder, launcher);
	const failed: { backend: SandboxBackend; reason: string }[] = [];
	for (const name of order.filter((candidate) => wanted === "auto" || wanted === candidate)) {
		const backend = candidates[name](host);
		const reason =
			typeof backend === "string" ? backend : await tryBackend(host, backend, path.join(stateFolder, "trial"));
		if (typeof backend !== "string" && reason === undefined) {
			const egressProblem = await tryEgress(host, backend, path.join(stateFolder, "trial"));
			return createSandbox(host, backend, { failed, egressProblem });
		}
		failed.push({ backend: name, reason: reason ?? "" });
	}
	const mayGoWithout = !required && (wanted === "auto" || wanted === "none");
	const { egressProblem } = none(host);
	const refusal = mayGoWithout ? undefined : refusalOf(failed);
	return createSandbox(host, none(host), { failed, egressProblem, refusal });
}

function refusalOf(failed: SandboxReport["failed"]): string {
	const reasons = failed.map(({ backend, reason }) => `${backend}: ${reason}`).join(" ");
	const why = reasons ? `none holds on this machine. ${reasons}` : "none was asked for.";
	return `The runner runs nothing without a sandbox, and ${why}`;
}

type Found = Pick<SandboxReport, "failed" | "egressProblem" | "refusal">;

function createSandbox(host: Host, backend: Backend, { failed, egressProblem, refusal }: Found): Sandbox {
	const cpu = openCpuGroups();
	const groups = typeof cpu !== "string" && host.launcher ? cpu : undefined;
	return {
		report: {
			backend: backend.name,
			layers: [...backend.layers],
			failed,
			unsupportedLimits: unsupportedLimits(host, backend, cpu),
			...(egressProblem !== undefined && { egressProblem }),
			...(refusal !== undefined && { refusal }),
		},
		wrap(command, place, limits) {
			if (refusal !== undefined) throw refuse("sandbox_unavailable", refusal);
			if (host.users && place.uid === undefined) throw new Error("Each place is due a user of its own.");
			const wrapped = backend.wrap(command, place, limits);
			return groups ? inGroup(groups, wrapped, limits) : wrapped;
		},
		pathOf: (place) => (backend.hasMounts ? "/workspace" : place.folder),
		temporaryOf: (place) => (backend.hasMounts ? "/tmp" : place.temporary),
	};
}

function inGroup(groups: CpuGroups, wrapped: Wrapped, limits: ProgramLimits): Wrapped {
	const folder = groups.make(limits.maxCpuPercent);
	const [role = "", ...args] = wrapped.args;
	return {
		...wrapped,
		args: [role, "--cgroup", folder, ...args],
		release() {
			groups.remove(folder);
			wrapped.release();
		},
	};
}

function unsupportedLimits(host: Host, backend: Backend, cpu: CpuGroups | string): SandboxReport["unsupportedLimits"] {
	const limits = [...backend.unsupportedLimits];
	// The docker daemon holds the two itself.
	if (backend.name === "docker") return limits;
	if (!host.launcher) limits.push({ limit: "maxCpuPercent", reason: "The launcher was not built." });
	else if (typeof cpu === "string") limits.push({ limit: "maxCpuPercent", reason: cpu });
	if (host.launcher && !host.canWatchMemory) {
		limits.push({
			limit: "maxMemoryMb",
			reason: "The kernel does not list the children of a process (CONFIG_PROC_CHILDREN).",
		});
	}
	if (host.isRoot && !host.users && host.launcher) {
		limits.push({
			limit: "maxSubprocesses",
			reason: "The runner is root and may become nobody else; root's processes are not counted.",
		});
	}
	return limits;
}
