import { setTimeout as sleep } from "node:timers/promises";
import { knownValues } from "../../../src/lib/redact-known";
import type { ServerSpec, ServerStatus } from "../../../src/shared/runner-servers";
import { Backoff } from "./backoff";
import { notStarted, type ServerFailed, toFailed } from "./failure";
import { RunningServer } from "./running-server";
import type { Session } from "./sessions";
import type { Starter } from "./starter";
import { Tail } from "./tail";

const stderrCharacters = 65_536;
const noiseCharacters = 8_192;
/** A request waits so long for a server that may not be started yet; for longer it is refused. */
const maxWaitMs = 2_000;

export interface HostedServerOptions {
	readonly id: string;
	readonly spec: ServerSpec;
	readonly configHash: string;
	readonly starter: Starter;
	/** The end of who had this id before. */
	readonly after: Promise<void>;
}

/**
 * What a client speaks: the protocol that begins with `initialize`, the one where each request stands alone, or it is about
 * to find out which of them the server does.
 */
export type Wish = "legacy" | "modern" | "either";

/** One configuration of a server, and the process that serves it while somebody asks. */
export class HostedServer {
	readonly #options: HostedServerOptions;
	readonly #backoff = new Backoff();
	readonly #stderr: Tail;
	readonly #noise: Tail;
	/** One; a second only where a client of the other era came to a process that has decided on its own. */
	readonly #running = new Set<RunningServer>();
	readonly #starting = new Map<Wish, Promise<void>>();
	/** The ends that are under way. */
	#ends: Promise<void>;
	/** Whether the server speaks the revision without sessions, as far as it has shown. */
	#speaksModern: boolean | undefined;
	#stopped: string | undefined;
	#failure: ServerFailed | undefined;
	#noiseLines = 0;
	#starts = 0;
	#crashes = 0;
	#lastEnd: string | undefined;
	#strayAnswers = 0;
	#tooLargeMessages = 0;

	constructor(options: HostedServerOptions) {
		this.#options = options;
		this.#ends = options.after;
		const secrets = knownValues(Object.entries(options.spec.env).map(([name, value]) => ({ name, value })));
		this.#stderr = new Tail(stderrCharacters, secrets);
		this.#noise = new Tail(noiseCharacters, secrets);
	}

	get configHash(): string {
		return this.#options.configHash;
	}

	get spec(): ServerSpec {
		return this.#options.spec;
	}

	get isRunning(): boolean {
		return this.#running.size > 0 || this.#starting.size > 0;
	}

	/** Hands the process for such a client to `use`, and starts one when there is none. Throws a `ServerFailed`. */
	async connect(wish: Wish, use: (running: RunningServer) => void): Promise<void> {
		let fitting = this.#find(wish);
		// Whoever waits for the same start may be the first to use it, and it may then be no longer fit.
		for (; !fitting; fitting = this.#find(wish)) {
			const lane = this.#running.size === 0 ? "either" : wish;
			await (this.#starting.get(lane) ?? this.#start(lane));
		}
		use(fitting);
		fitting.expectAnswer();
	}

	findSession(id: string): { running: RunningServer; session: Session } | undefined {
		for (const running of this.#running) {
			const session = running.board.findSession(id);
			if (session) return { running, session };
		}
		return undefined;
	}

	/** Forgets failures, so that the next request starts the server at once. */
	forgive(): void {
		this.#backoff.clear();
		this.#failure = undefined;
	}

	/** Tries the launcher, so that its absence shows before the first request. */
	async check(): Promise<void> {
		try {
			await this.#options.starter.requireLauncher(this.spec.command);
		} catch (error) {
			this.#failure = toFailed(error);
		}
	}

	/** Stops it for good; done when nothing of it is left. */
	async stop(reason: string): Promise<void> {
		this.#stopped ??= reason;
		for (const running of this.#running) this.#retire(running, reason);
		await Promise.allSettled([...this.#starting.values()]);
		await this.#ends;
	}

	status(): ServerStatus {
		const [running] = this.#running;
		const boards = [...this.#running].map(({ board }) => board);
		const sum = (of: (board: RunningServer["board"]) => number) =>
			boards.reduce((total, board) => total + of(board), 0);
		const waitMs = this.#backoff.waitMs(Date.now());
		return {
			id: this.#options.id,
			configHash: this.configHash,
			command: this.spec.command,
			state: this.#state(waitMs),
			...(this.#failure && { code: this.#failure.failure.reason.toUpperCase(), message: this.#failure.message }),
			...(waitMs > 0 && { retryAt: new Date(Date.now() + waitMs).toISOString() }),
			...(running && { startedAt: running.startedAt.toISOString() }),
			starts: this.#starts,
			crashes: this.#crashes,
			...(this.#lastEnd !== undefined && { lastEnd: this.#lastEnd }),
			sessions: sum((board) => board.sessionCount),
			calls: sum((board) => board.callCount),
			noise: { ...this.#noise.read(), lines: this.#noiseLines },
			tooLargeMessages: this.#tooLargeMessages + sum((board) => board.tooLargeMessages),
			strayAnswers: this.#strayAnswers + sum((board) => board.strayAnswers),
			stderr: this.#stderr.read(),
		};
	}

	#state(waitMs: number): ServerStatus["state"] {
		if (this.#running.size > 0) return "running";
		if (this.#failure?.failure.reason === "launcher_unavailable") return "unavailable";
		if (this.#starting.size > 0) return "starting";
		if (this.#backoff.isBroken && waitMs > 0) return "failed";
		return waitMs > 0 ? "backing_off" : "stopped";
	}

	#find(wish: Wish): RunningServer | undefined {
		const all = [...this.#running];
		const of = (era: "legacy" | "modern" | undefined) => all.find(({ board }) => board.era === era);
		if (wish !== "either") return of(wish) ?? of(undefined);
		// A process that has begun a session says that it speaks nothing else, whatever the server could do.
		return of("modern") ?? of(undefined) ?? (this.#speaksModern === false ? all[0] : undefined);
	}

	/** A second process that was started only to find this out is of no more use. */
	#takeVerdict(probed: RunningServer, speaksModern: boolean): void {
		this.#speaksModern = speaksModern;
		if (!speaksModern && this.#running.size > 1) this.#retire(probed, "It speaks no newer revision.");
	}

	#start(lane: Wish): Promise<void> {
		const starting = this.#startNow().finally(() => this.#starting.delete(lane));
		this.#starting.set(lane, starting);
		return starting;
	}

	async #startNow(): Promise<void> {
		await this.#waitForTurn();
		try {
			const child = await this.#options.starter.start(this.#options.id, this.spec);
			this.#starts++;
			const running = new RunningServer(child, {
				spec: this.spec,
				stderr: this.#stderr,
				noise: (line) => this.#hear(line),
				probed: (probed, speaksModern) => this.#takeVerdict(probed, speaksModern),
				crashed: (crashed, end) => this.#crash(crashed, end),
				idle: (idle) => this.#retire(idle, "Nobody asked it anything."),
			});
			this.#running.add(running);
			this.#failure = undefined;
			if (this.#stopped !== undefined) this.#retire(running, this.#stopped);
			this.#refuseWhenStopped();
		} catch (error) {
			if (this.#stopped === undefined) this.#failStart(toFailed(error));
			throw toFailed(error);
		}
	}

	/** Two processes of one server would share its home, so the next starts when the last has ended. */
	async #waitForTurn(): Promise<void> {
		this.#refuseWhenStopped();
		const waitMs = this.#backoff.waitMs(Date.now());
		if (waitMs > maxWaitMs) {
			const last = this.#failure?.message ?? `It ended (${this.#lastEnd}).`;
			throw notStarted("backing_off", `The server failed and is not started again yet. ${last}`, waitMs);
		}
		await Promise.all([sleep(waitMs), this.#ends]);
		this.#refuseWhenStopped();
	}

	#refuseWhenStopped(): void {
		if (this.#stopped !== undefined) throw notStarted("stopped", this.#stopped);
	}

	#failStart(failed: ServerFailed): void {
		this.#failure = failed;
		// To look for a file costs nothing, and it may be installed any moment.
		if (failed.failure.reason === "launcher_unavailable") return;
		this.#backoff.failed({ hasAnswered: false, livedMs: 0, now: Date.now() });
	}

	#crash(running: RunningServer, end: string): void {
		this.#lastEnd = end;
		this.#retire(running, end);
		// Some older servers end at the question which revisions they speak; that is how they answer it.
		if (running.board.wasOnlyProbed) return;
		this.#crashes++;
		const hasAnswered = running.board.hasSpoken;
		const reason = hasAnswered ? "ended" : "start_failed";
		this.#failure = notStarted(reason, `The server ended (${end}).`);
		this.#backoff.failed({ hasAnswered, livedMs: running.livedMs, now: Date.now() });
	}

	#retire(running: RunningServer, reason: string): void {
		if (!this.#running.delete(running)) return;
		this.#strayAnswers += running.board.strayAnswers;
		this.#tooLargeMessages += running.board.tooLargeMessages;
		this.#ends = Promise.all([this.#ends, running.stop(reason)]).then(() => {});
	}

	#hear(line: string): void {
		this.#noiseLines++;
		this.#noise.pushText(`${line}\n`);
	}
}
