import type { RE2JS } from "re2js";

/** To make a state of re2js's automaton takes as long as to go over that many bytes with those that are made. */
const stepsOfState = 2_000;
/** An automaton that still grows by more than this in one block grows with nearly each byte. */
const usualGrowth = 256;
/** Without the automaton each instruction may be run for each byte. */
export const stepsOfInstruction = 4;

/**
 * Reckons what an expression's tests cost, in steps of some 8 ns: the clock of a Worker stands still while it computes.
 * A byte is one step, unless the automaton (re2js/src/DFA.js, 8 MB of states made as they are needed) has to grow, or has been too large to keep.
 * Asked after each block of bytes that was tested.
 */
export function stepCounter(expression: RE2JS): (bytes: number) => number {
	const slowStep = Math.max(stepsOfState, stepsOfInstruction * expression.programSize());
	let known = 0;
	let isTooLarge = false;
	return (bytes) => {
		const { stateCount, memBudget, maxMem } = expression.re2().lazyDFA ?? { stateCount: 0, memBudget: 1, maxMem: 1 };
		const growth = stateCount - known;
		known = stateCount;
		isTooLarge ||= growth < 0 || memBudget < maxMem / 2;
		return isTooLarge || growth > usualGrowth ? bytes * slowStep : bytes + growth * stepsOfState;
	};
}
