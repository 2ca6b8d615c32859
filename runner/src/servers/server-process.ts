import type { ConfinedChild } from "../programs/confined-child";
import { Lines } from "./lines";
import type { Tail } from "./tail";

/** A line that goes on for so many times the limit will not end. */
const endlessFactor = 8;
/** Unread input is held in memory. */
const maxQueuedBytes = 67_108_864;
/** How long the reason of an end is waited for when the output has ended. */
const endPatienceMs = 500;

export interface ProcessEvents {
	/** A line of standard output. */
	line(text: string): void;
	/** A line over the limit, of which only the outline is known. */
	longLine(outline: string): void;
	/** Nothing will come any more; called once. */
	gone(end: string): void;
}

/** The pipes of one running server. */
export class ServerProcess {
	readonly #child: ConfinedChild;
	readonly #events: ProcessEvents;
	readonly #lines: Lines;
	readonly #maxOpenBytes: number;
	#gone = false;
	#ended = false;

	constructor(
		child: ConfinedChild,
		{ maxLineBytes, stderr }: { maxLineBytes: number; stderr: Tail },
		events: ProcessEvents,
	) {
		this.#child = child;
		this.#events = events;
		this.#lines = new Lines(maxLineBytes);
		this.#maxOpenBytes = endlessFactor * maxLineBytes;
		for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
		child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
		child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
		child.stdout.on("end", () => setTimeout(() => this.#leave("it closed its output"), endPatienceMs).unref());
		void child.ended.then(({ exitCode, signal }) => {
			this.#ended = true;
			this.#leave(signal ? `signal ${signal}` : `exit code ${exitCode}`);
		});
	}

	/** False when the server does not read and no more can be held for it. */
	write(line: string): boolean {
		const { stdin } = this.#child;
		if (this.#gone || stdin.destroyed || stdin.writableLength > maxQueuedBytes) return false;
		stdin.write(`${line}\n`);
		return true;
	}

	/** Ends its input, waits, asks with SIGTERM, insists with SIGKILL; done when all that it started is gone. */
	async close(graceMs: number): Promise<void> {
		const { stdin, stdout, stderr, ended } = this.#child;
		stdin.end();
		const { promise: graceOver, resolve } = Promise.withResolvers<void>();
		const timer = setTimeout(resolve, graceMs);
		await Promise.race([ended, graceOver]);
		clearTimeout(timer);
		if (!this.#ended) await this.#child.end();
		for (const stream of [stdin, stdout, stderr]) stream.destroy();
	}

	#read(chunk: Buffer): void {
		for (const line of this.#lines.push(chunk)) {
			if ("text" in line) this.#events.line(line.text);
			else this.#events.longLine(line.outline);
		}
		if (this.#lines.openBytes > this.#maxOpenBytes) this.#leave("its output went on without a line end");
	}

	#leave(end: string): void {
		if (this.#gone) return;
		this.#gone = true;
		this.#events.gone(end);
	}
}
