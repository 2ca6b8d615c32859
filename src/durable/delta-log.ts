import type { RedactedStream, Redactor } from "../lib/redact";
import type { ModelEvent } from "../llm/provider";
import type { NewEvent } from "../shared/events";

/**
 * Gathers streamed text into few events: a chunk waits at most `delayMs` for others, so that a reader sees typing
 * and the log does not get a row per token. Secrets are taken out across chunk borders.
 */
export class DeltaLog {
	readonly #write: (events: readonly NewEvent[]) => void;
	readonly #streams: Record<DeltaType, RedactedStream>;
	#pending: { type: DeltaType; text: string } | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(redactor: Redactor, write: (events: readonly NewEvent[]) => void) {
		this.#write = write;
		this.#streams = { "text-delta": redactor.stream(), "reasoning-delta": redactor.stream() };
	}

	push(event: Exclude<ModelEvent, { type: "finish" }>): void {
		this.#add(event.type, this.#streams[event.type].push(event.text));
	}

	/** Writes what is left; nothing may be pushed after it. */
	end(): void {
		for (const type of deltaTypes) this.#add(type, this.#streams[type].end());
		this.#flush();
	}

	/** Forgets what is left, after a failure. */
	drop(): void {
		this.#pending = undefined;
		clearTimeout(this.#timer);
	}

	#add(type: DeltaType, text: string): void {
		if (text === "") return;
		if (this.#pending && this.#pending.type !== type) this.#flush();
		if (this.#pending) {
			this.#pending.text += text;
			if (this.#pending.text.length >= maxChars) this.#flush();
			return;
		}
		this.#pending = { type, text };
		this.#timer = setTimeout(() => this.#flush(), delayMs);
	}

	#flush(): void {
		clearTimeout(this.#timer);
		if (!this.#pending) return;
		const { type, text } = this.#pending;
		this.#pending = undefined;
		this.#write([{ type, data: { text } }]);
	}
}

type DeltaType = "text-delta" | "reasoning-delta";
const deltaTypes = ["reasoning-delta", "text-delta"] as const;
const delayMs = 60;
const maxChars = 2_000;
