import { createParser } from "eventsource-parser";

export interface SseEvent {
	/** The `event:` line, where there was one. */
	readonly event?: string | undefined;
	readonly data: string;
}

export interface SseReader {
	/** Takes the next piece of text, cut anywhere. */
	push(text: string): void;
	/** Ends the stream; a last event that lacks its blank line still counts. */
	end(): void;
}

/**
 * Reads server-sent events synchronously, so that a network read costs one promise however many events it holds.
 * Blanks before the first line are dropped: some gateways send them.
 */
export function sseReader(onEvent: (event: SseEvent) => void): SseReader {
	const parser = createParser({ onEvent });
	let started = false;
	return {
		push(text) {
			const rest = started ? text : text.trimStart();
			if (rest === "") return;
			started = true;
			parser.feed(rest);
		},
		end() {
			if (started) parser.feed("\n\n");
		},
	};
}
