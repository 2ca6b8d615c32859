import type { ProgramLimits } from "../../../src/shared/runner";
import type { ServerSpec } from "../../../src/shared/runner-servers";
import type { ConfinedChild, startConfined } from "../programs/confined-child";
import type { Place, Sandbox } from "../sandbox/sandbox";
import { LauncherCheck } from "./launcher-check";
import { preparePlace } from "./places";

/** What one server may use unless its configuration says otherwise: Node alone has a dozen threads and reserves gigabytes. */
const defaultLimits: ProgramLimits = {
	timeoutMs: 600_000,
	maxMemoryMb: 4_096,
	maxCpuPercent: 100,
	maxCpuTimeSeconds: 3_600,
	maxOpenFiles: 1_024,
	maxSubprocesses: 256,
};

/** No server can have this id. */
const checkId = ".check";

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
	readonly #launchers: LauncherCheck;
	#checkPlace: Promise<Place> | undefined;

	constructor(options: StarterOptions) {
		this.#options = options;
		const start = (program: string) => this.#startCheck(program);
		this.#launchers = new LauncherCheck({ searchPath: options.searchPath, start });
	}

	/** Throws a `ServerFailed` when the launcher is missing or does not answer. */
	async start(id: string, { command, args, env, limits }: ServerSpec): Promise<ConfinedChild> {
		const { sandbox, start, folder, uidOf } = this.#options;
		await this.requireLauncher(command);
		const place = await preparePlace(folder, id, uidOf(id));
		const asked = { program: command, args, env: { ...this.#environment(place), ...env } };
		return await start(sandbox, asked, place, withDefaults(limits));
	}

	/** Throws a `ServerFailed` when the launcher is missing or does not answer. */
	requireLauncher(command: string): Promise<void> {
		return this.#launchers.require(command);
	}

	async #startCheck(program: string): Promise<ConfinedChild> {
		const { sandbox, start, folder, uidOf } = this.#options;
		this.#checkPlace ??= preparePlace(folder, checkId, uidOf(checkId));
		const place = await this.#checkPlace;
		const asked = { program, args: ["--version"], env: this.#environment(place) };
		return await start(sandbox, asked, place, defaultLimits);
	}

	#environment(place: Place): Record<string, string> {
		const { sandbox, searchPath } = this.#options;
		return { PATH: searchPath, HOME: sandbox.pathOf(place), TMPDIR: sandbox.temporaryOf(place) };
	}
}

function withDefaults(limits: ServerSpec["limits"]): ProgramLimits {
	const given = Object.entries(limits).filter(([, value]) => value !== undefined);
	return { ...defaultLimits, ...Object.fromEntries(given) };
}
