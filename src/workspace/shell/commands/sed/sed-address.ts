import type { SedInput } from "./sed-input";
import type { SedAddress, SedCommand } from "./sed-script";

export interface Addressed {
	readonly input: SedInput;
	/** Whether a pattern, or the last one tried, matches what is being edited. */
	matches(pattern: Extract<SedAddress, { kind: "pattern" }>["pattern"]): boolean;
}

type RangeState = "closed" | { readonly last: number | undefined };

/** Which lines the commands of a script apply to; it remembers the ranges that have begun. */
export class SedAddresses {
	readonly #ranges = new Map<SedCommand, RangeState>();

	/** Whether a command applies to the line at hand. */
	async apply(command: SedCommand, at: Addressed): Promise<boolean> {
		return (await this.#isMeant(command, at)) !== command.isNegated;
	}

	/** Whether the range of a command goes on behind the line at hand. */
	isInside(command: SedCommand): boolean {
		return typeof this.#ranges.get(command) === "object";
	}

	async #isMeant(command: SedCommand, at: Addressed): Promise<boolean> {
		const { from, to } = command;
		if (from === undefined) return true;
		if (to === undefined) return await isAt(from, at);
		const beginsBefore = from.kind === "line" && from.number === 0;
		const state = this.#ranges.get(command) ?? (beginsBefore ? { last: undefined } : "closed");
		if (state === "closed") return (await isAt(from, at)) && this.#begin(command, at);
		const { number } = at.input;
		if (state.last === undefined) {
			this.#ranges.set(
				command,
				to.kind !== "plus" && to.kind !== "multiple" && (await isAt(to, at)) ? "closed" : state,
			);
			return true;
		}
		if (number >= state.last) this.#ranges.set(command, "closed");
		return number <= state.last;
	}

	#begin(command: SedCommand, { input: { number } }: Addressed): true {
		const last = lastOf(command, number);
		this.#ranges.set(command, last === undefined || last > number ? { last } : "closed");
		return true;
	}
}

/** The last line of a range, where it is known when the range begins. */
function lastOf({ to }: SedCommand, first: number): number | undefined {
	if (to?.kind === "line") return to.number;
	if (to?.kind === "plus") return first + to.number;
	if (to?.kind === "multiple") return to.number === 0 ? first : Math.ceil(first / to.number) * to.number;
	return undefined;
}

async function isAt(address: SedAddress, { input, matches }: Addressed): Promise<boolean> {
	if (address.kind === "line") return input.number === address.number;
	if (address.kind === "last") return await input.isLast();
	if (address.kind === "pattern") return matches(address.pattern);
	const { first, step } = address;
	return step === 0 ? input.number === first : input.number >= first && (input.number - first) % step === 0;
}
