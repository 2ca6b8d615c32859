import { setTimeout as sleep } from "node:timers/promises";
import type { ConfinedChild } from "../programs/confined-child";
import { notStarted } from "./failure";
import { findProgram } from "./launcher";

const timeoutMs = 5_000;
/** A launcher that answered is not asked again for so long. */
const lastsMs = 600_000;

export interface LauncherCheckOptions {
	readonly searchPath: string;
	/** Starts `program --version`. */
	readonly start: (program: string) => Promise<ConfinedChild>;
}

/** Finds out whether a launcher is there and works: one that hangs would look like a server that hangs. */
export class LauncherCheck {
	readonly #options: LauncherCheckOptions;
	readonly #passedAt = new Map<string, number>();
	readonly #underWay = new Map<string, Promise<void>>();

	constructor(options: LauncherCheckOptions) {
		this.#options = options;
	}

	/** Throws a `ServerFailed` when the launcher is missing, or does not say its version in time. */
	async require(program: string): Promise<void> {
		const passedAt = this.#passedAt.get(program);
		if (passedAt !== undefined && performance.now() - passedAt < lastsMs) return;
		const checking = this.#underWay.get(program) ?? this.#check(program).finally(() => this.#underWay.delete(program));
		this.#underWay.set(program, checking);
		await checking;
	}

	async #check(program: string): Promise<void> {
		if (!(await findProgram(program, this.#options.searchPath))) {
			throw notStarted(
				"launcher_unavailable",
				`The runner has no program ${program}, so this server cannot be started.`,
			);
		}
		const child = await this.#options.start(program);
		if (!(await endsInTime(child))) {
			const message = `${program} --version did not end within ${timeoutMs / 1_000} seconds.`;
			throw notStarted("launcher_unresponsive", message);
		}
		this.#passedAt.set(program, performance.now());
	}
}

async function endsInTime(child: ConfinedChild): Promise<boolean> {
	const { stdin, stdout, stderr, ended } = child;
	for (const stream of [stdin, stdout, stderr]) stream.on("error", () => {});
	stdin.end();
	stdout.resume();
	stderr.resume();
	const waiting = new AbortController();
	const late = sleep(timeoutMs, false, { signal: waiting.signal }).catch(() => false);
	const isInTime = await Promise.race([ended.then(() => true), late]);
	waiting.abort();
	if (!isInTime) await child.end("SIGKILL");
	return isInTime;
}
