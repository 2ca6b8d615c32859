import type { FileRefusal } from "./reply";

/** A refusal that says itself what it is; what was done so far is given up. */
export class Refused extends Error {
	override readonly name = "Refused";
	readonly refusal: FileRefusal;

	constructor(refusal: FileRefusal) {
		super(refusal.message);
		this.refusal = refusal;
	}
}
