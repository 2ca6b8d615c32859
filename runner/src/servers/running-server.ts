import type { ServerSpec } from "../../../src/shared/runner-servers";
import type { ConfinedChild } from "../programs/confined-child";
import { outcomeUnknown } from "./failure";
import { ServerProcess } from "./server-process";
import { Switchboard } from "./switchboard";
import type { Tail } from "./tail";

export interface RunningServerOptions {
	readonly spec: ServerSpec;
	readonly stderr: Tail;
	/** Takes lines of standard output that are no message. */
	readonly noise: (line: string) => void;
	/** Called when it is gone without having been stopped. */
	readonly crashed: (server: RunningServer, end: string) => void;
	/** Called with what is known once it was asked which revisions it speaks. */
	readonly probed: (server: RunningServer, speaksModern: boolean) => void;
	/** Called when no request came for as long as the configuration says. */
	readonly idle: (server: RunningServer) => void;
}

/** One life of a server: its process, and all who talk with it. */
export class RunningServer {
	readonly board: Switchboard;
	readonly startedAt = new Date();
	readonly #options: RunningServerOptions;
	readonly #process: ServerProcess;
	readonly #began = performance.now();
	#startTimer: NodeJS.Timeout | undefined;
	#idleTimer: NodeJS.Timeout | undefined;
	#closing: Promise<void> | undefined;
	/** Why it is being stopped, when it is. */
	#stopReason: string | undefined;

	constructor(child: ConfinedChild, options: RunningServerOptions) {
		this.#options = options;
		const { spec, stderr } = options;
		const { requestTimeoutMs, maxRequestMs, startTimeoutMs, idleStopMs } = spec.deadlines;
		this.board = new Switchboard({
			write: (text) => this.#process.write(text),
			patience: { idleMs: requestTimeoutMs, maxMs: maxRequestMs },
			startTimeoutMs,
			probed: (speaksModern) => options.probed(this, speaksModern),
		});
		const events = {
			line: (text: string) => this.#receive(text),
			longLine: (outline: string) => this.board.receiveTooLarge(outline, spec.maxMessageBytes),
			gone: (end: string) => this.#leave(end),
		};
		this.#process = new ServerProcess(child, { maxLineBytes: spec.maxMessageBytes, stderr }, events);
		this.#watchIdleness(idleStopMs);
	}

	get livedMs(): number {
		return performance.now() - this.#began;
	}

	get isStopping(): boolean {
		return this.#stopReason !== undefined;
	}

	/** Gives it until the start deadline to say anything at all, once it has been asked something. */
	expectAnswer(): void {
		// The question which revisions it speaks has an end of its own, and silence is an answer to that.
		if (this.board.hasSpoken || this.board.wasOnlyProbed || this.#startTimer || this.#closing) return;
		const { startTimeoutMs } = this.#options.spec.deadlines;
		this.#startTimer = setTimeout(() => {
			this.#startTimer = undefined;
			if (this.board.hasSpoken || this.board.callCount === 0) return;
			this.#leave(`it answered nothing within ${startTimeoutMs} ms`);
		}, startTimeoutMs);
	}

	/** Stops it politely and for good; requests that are open hear `reason` at once. */
	stop(reason: string): Promise<void> {
		this.#stopReason ??= reason;
		return this.#close(reason);
	}

	#leave(end: string): void {
		if (this.#closing) return;
		const isCrash = this.#stopReason === undefined;
		void this.#close(`The server ended (${end}).`);
		if (isCrash) this.#options.crashed(this, end);
	}

	#close(reason: string): Promise<void> {
		if (this.#closing) return this.#closing;
		clearTimeout(this.#startTimer);
		clearTimeout(this.#idleTimer);
		const because = this.#stopReason === undefined ? "ended" : "stopped";
		this.board.shut(() => outcomeUnknown(because, reason));
		this.#closing = this.#process.close(this.#options.spec.deadlines.closeGraceMs);
		return this.#closing;
	}

	#receive(line: string): void {
		if (line.trim() !== "" && !this.board.receive(line)) this.#options.noise(line);
	}

	#watchIdleness(idleStopMs: number, afterMs = idleStopMs): void {
		this.#idleTimer = setTimeout(() => {
			const left = idleStopMs - this.board.idleMs(performance.now());
			if (left <= 0) this.#options.idle(this);
			else this.#watchIdleness(idleStopMs, left);
		}, afterMs);
		this.#idleTimer.unref();
	}
}
