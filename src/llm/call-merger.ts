import { isWholeObject } from "./call-input";
import { isRecord, type Json, textOf, withFields } from "./json";
import { type JsonBalance, jsonBalance } from "./json-balance";
import { ModelError } from "./provider";

/** A call that may still be growing. */
export interface DraftCall {
	vendorId: string;
	name: string;
	arguments: string;
	extra?: Json;
}

/** A piece of a call, read from what a vendor sent. */
export interface CallDelta {
	readonly index: number | undefined;
	readonly vendorId: string;
	readonly name: string;
	readonly arguments: string;
	readonly extra?: Json | undefined;
}

export interface CallMerger {
	/** The calls so far, in the order in which they were opened. */
	readonly calls: readonly DraftCall[];
	add(delta: CallDelta): void;
	/** The call that was last opened under an index. */
	at(index: number): DraftCall | undefined;
}

/** More than any model asks for at once. */
const maxCalls = 4_096;

/** Merges pieces by index, else by id, else onto the last open call. The name is taken once. Throws `ModelError` for calls without end. */
export function callMerger(): CallMerger {
	const calls: DraftCall[] = [];
	const wholes = new WeakMap<DraftCall, Whole>();
	const byIndex = new Map<number, DraftCall>();
	const withoutIndex: DraftCall[] = [];

	function find({ index, vendorId }: CallDelta): DraftCall | undefined {
		if (index !== undefined) {
			return (
				byIndex.get(index) ?? (vendorId === "" ? undefined : withoutIndex.find((call) => call.vendorId === vendorId))
			);
		}
		return vendorId === "" ? calls.at(-1) : calls.findLast((call) => call.vendorId === vendorId);
	}

	function open(delta: CallDelta): DraftCall {
		if (calls.length === maxCalls) {
			throw new ModelError("bad_response", `The model's answer asks for more than ${maxCalls} calls.`);
		}
		const call: DraftCall = { vendorId: delta.vendorId, name: "", arguments: "" };
		calls.push(call);
		if (delta.index === undefined) withoutIndex.push(call);
		else byIndex.set(delta.index, call);
		return call;
	}

	return {
		calls,
		add(delta) {
			const known = find(delta);
			const call = known && !beginsAnother(known, delta, wholes.get(known)) ? known : open(delta);
			const whole = wholes.get(call) ?? { brackets: jsonBalance(), isSpoilt: false };
			wholes.set(call, whole);
			whole.brackets.push(delta.arguments);
			if (call.vendorId === "") call.vendorId = delta.vendorId;
			if (call.name === "") call.name = delta.name;
			call.arguments += delta.arguments;
			if (delta.extra) call.extra = withFields(call.extra, delta.extra);
		},
		at: (index) => byIndex.get(index),
	};
}

/**
 * Whether the piece opens a new call though its index or place is that of a known one.
 * Gemini and some gateways number every parallel call 0; a complete call cannot grow, so a second one with a name is another.
 */
function beginsAnother(call: DraftCall, delta: CallDelta, whole: Whole | undefined): boolean {
	if (delta.name === "") return false;
	const isOtherId = delta.vendorId !== "" && call.vendorId !== "" && delta.vendorId !== call.vendorId;
	if (isOtherId && delta.name !== call.name) return true;
	return (isOtherId || delta.arguments.trimStart().startsWith("{")) && isWhole(call, whole);
}

/** What spares parsing a call's arguments again at every piece of them. */
interface Whole {
	readonly brackets: JsonBalance;
	/** Closed, and no JSON all the same: nothing that follows can mend that. */
	isSpoilt: boolean;
}

function isWhole(call: DraftCall, whole: Whole | undefined): boolean {
	if (!whole || whole.isSpoilt || !whole.brackets.isClosed()) return false;
	whole.isSpoilt = !isWholeObject(call.arguments);
	return !whole.isSpoilt;
}

/** Reads a piece in any of the forms seen: OpenAI's with `function`, or flat; arguments as text, object, null or not at all. */
export function readCallDelta(value: unknown): CallDelta | undefined {
	if (!isRecord(value)) return undefined;
	const { id, index, type: _, function: nested, ...rest } = value;
	const isNested = isRecord(nested);
	const { name, arguments: given } = isNested ? nested : value;
	const number = typeof index === "string" && index !== "" ? Number(index) : index;
	return {
		index: typeof number === "number" && Number.isInteger(number) ? number : undefined,
		vendorId: textOf(id),
		name: textOf(name),
		arguments: typeof given === "object" && given !== null ? JSON.stringify(given) : textOf(given),
		extra: extraOf(isNested ? rest : {}),
	};
}

function extraOf(rest: Json): Json | undefined {
	const kept = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined);
	return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
