import { setTimeout as sleep } from "node:timers/promises";
import type { ProgramLimits } from "../../../src/shared/runner";
import type { ServerSpec } from "../../../src/shared/runner-servers";
import type { ConfinedChild, startConfined } from "../programs/confined-child";
import type { Place, Sandbox } from "../sandbox/sandbox";
import { notStarted } from "./failure";
import { findProgram } from "./launcher";
import { preparePlace } from "./places";

const precheckTimeoutMs = 5_000;
/** A launcher that answered is not asked again for so long. */
const precheckLastsMs = 600_000;

/** What one server may use unless its configuration says otherwise: Node alone has a dozen threads and reserves gigabytes. */
export const defaultLimits: ProgramLimits = {
	timeoutMs: 600_000,
	maxMemoryMb: 4_096,
	maxCpuPercent: 100,
	maxCpuTimeSeconds: 3_600,
	maxOpenFiles: 1_024,
	maxSubprocesses: 256,
};

export interface StarterOptions {
	readonly sandbox: Sandbox;
	readonly start: typeof startConfined;
	/** Where the homes of servers are. */
	readonly folder: string;
	/** PATH of every server. */
	readonly searchPath: string;
	/** Who owns a server's files and processes, when the runner may choose. */
	readonly uidOf: (id: string) => number | undefined;
}

/** Starts servers in the sandbox, with declared variables only, after their launcher has shown that it works. */
export class Starter {
	readonly #options: StarterOptions;
	readonly #checkedAt = new Map<string, number>();

	constructor(options: StarterOptions) {
		this.#options = options;
	}

	/** Throws a `ServerFailed` when the launcher is missing or does not answer. */
	async start(id: string, { command, args, env, limits }: ServerSpec): Promise<ConfinedChild> {
		const { sandbox, start, folder, uidOf } = this.#options;
		await this.requireLauncher(command);
		const place = await preparePlace(folder, id, uidOf(id));
		const complete = withDefaults(limits);
		await this.#precheck(command, place, complete);
		const environment = { ...this.#environment(place), ...env };
		return await start(sandbox, { program: command, args, env: environment }, place, complete);
	}

	async requireLauncher(command: string): Promise<void> {
		if (await findProgram(command, this.#options.searchPath)) return;
		throw notStarted("launcher_unavailable", `The runner has no program ${command}, so this server cannot be started.`);
	}

	/** A launcher that hangs would look like a server that hangs. */
	async #precheck(command: string, place: Place, limits: ProgramLimits): Promise<void> {
		if (performance.now() - (this.#checkedAt.get(command) ?? Number.NEGATIVE_INFINITY) < precheckLastsMs) return;
		const { sandbox, start } = this.#options;
		const asked = { program: command, args: ["--version"], env: this.#environment(place) };
		const child = await start(sandbox, asked, place, limits);
		for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
		child.stdin.end();
		child.stdout.resume();
		child.stderr.resume();
		const timer = new AbortController();
		const late = sleep(precheckTimeoutMs, true, { signal: timer.signal }).catch(() => false);
		const isLate = await Promise.race([child.ended.then(() => false), late]);
		timer.abort();
		if (isLate) {
			await child.end("SIGKILL");
			const message = `${command} --version did not end within ${precheckTimeoutMs / 1_000} seconds.`;
			throw notStarted("launcher_unresponsive", message);
		}
		this.#checkedAt.set(command, performance.now());
	}

	#environment(place: Place): Record<string, string> {
		const { sandbox, searchPath } = this.#options;
		const home = sandbox.pathOf(place);
		// Where there are no mounts, the temporary folder is where it really is, as the home is.
		return { PATH: searchPath, HOME: home, TMPDIR: home === place.folder ? place.temporary : "/tmp" };
	}
}

const withDefaults = (limits: ServerSpec["limits"]): ProgramLimits => {
	const given = Object.entries(limits).filter(([, value]) => value !== undefined);
	return { ...defaultLimits, ...Object.fromEntries(given) };
};
