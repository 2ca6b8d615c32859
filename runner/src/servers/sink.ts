/** One HTTP exchange, as seen by what is answered over it. */
export interface Sink {
	/** Sends a message ahead of the answer; false when this client takes none. */
	send(text: string): boolean;
	/** Sends the answer, which is the last. */
	finish(text: string, status?: number): void;
	/** Ends without an answer, for a client that asks for none any more. */
	close(): void;
	/** Calls back when the client goes before the end. */
	onGone(callback: () => void): void;
}
