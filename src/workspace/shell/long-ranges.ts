import type { Bash } from "just-bash/browser";
import { overLimit } from "./limits";
import type { Run } from "./run";

/** What just-bash makes of one range at most; it leaves the rest out without a word. */
const maxValues = 10_000;

interface Range {
	readonly type: "Range";
	readonly start: number;
	readonly end: number;
	readonly step?: number;
}

/** Ends the run at a range such as `{1..20000}` that just-bash would cut short. */
export function endAtLongRanges(bash: Bash, run: Run): void {
	bash.registerTransformPlugin({
		name: "long-ranges",
		transform({ ast }) {
			if (hasLongRange(ast)) run.end(overLimit(`a range in braces has more than ${maxValues} values`));
			return { ast };
		},
	});
}

function hasLongRange(node: unknown): boolean {
	if (typeof node !== "object" || node === null) return false;
	return isRange(node) ? valuesOf(node) > maxValues : Object.values(node).some(hasLongRange);
}

const isRange = (node: object): node is Range =>
	"type" in node && node.type === "Range" && "start" in node && typeof node.start === "number";

const valuesOf = ({ start, end, step = 1 }: Range): number =>
	Math.floor(Math.abs(end - start) / Math.max(1, Math.abs(step))) + 1;
