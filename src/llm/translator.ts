import type { Json } from "./json";
import type { ModelEvent } from "./provider";

/** Turns one vendor answer into our events; made anew for each answer, pure but for what it has gathered. */
export interface Translator {
	/** Takes the JSON of one stream event. Throws `ModelError` when it says that the model failed. */
	chunk(json: Json, emit: ModelEvent[]): void;
	/** Takes a whole answer, as sent by an endpoint that does not stream. */
	whole(json: Json, emit: ModelEvent[]): void;
	/** Takes the mark `[DONE]`. */
	done(): void;
	/** Takes note that the stream broke off inside an event. */
	tear(): void;
	/** Emits the `finish`. Throws `ModelError` when the answer is empty or was cut off. */
	end(emit: ModelEvent[]): void;
}

/** What every translator is made with. */
export interface TranslatorContext {
	/** The vendor's name for messages, and the mark on reasoning that only this vendor can read. */
	readonly vendor: string;
	/** Makes the ids of calls, unique in the session. */
	readonly newId: () => string;
}
