import { findAll } from "../../lib/find-all";
import { FsError } from "../fs-error";
import { resolveAsked } from "../guarded";
import type { Operation } from "../operation";
import { Refused } from "../refused";
import { nearMiss } from "./near-miss";
import { maxWholeBytes } from "./read-text";
import { decodeText, notText, tooLarge } from "./text";

export interface EditText {
	readonly path: string;
	readonly oldText: string;
	readonly newText: string;
	/** Replaces every match, not the only one. */
	readonly all: boolean;
}

export interface EditedText {
	readonly path: string;
	readonly replaced: number;
	/** Line of the first match. */
	readonly line: number;
	readonly size: number;
}

/** Replaces a text that stands in a file exactly once, or everywhere; every other byte stays as it is. */
export const editText: Operation<EditText, EditedText> = {
	writes: true,
	run(files, { path: asked, oldText, newText, all }, rules) {
		const path = resolveAsked(asked, rules);
		const { kind, size } = files.stat(path);
		if (kind === "directory") throw new FsError("EISDIR", path);
		if (size > maxWholeBytes)
			throw tooLarge(`${path} has ${size} bytes; a file of at most ${maxWholeBytes} can be edited.`);
		const bytes = files.read(path);
		const text = decodeText(bytes);
		if (text === undefined) throw notText(bytes, path, size);
		const matches = findAll(text, oldText);
		if (matches.length === 0) throw noMatch(path, nearMiss(text, oldText));
		if (matches.length > 1 && !all) throw severalMatches(path, matches.length);
		const apart = withoutOverlaps(matches, oldText.length);
		const edited = new TextEncoder().encode(replaceAt(text, apart, oldText.length, newText));
		files.write(path, edited);
		return { path, replaced: apart.length, line: lineAt(text, matches[0] ?? 0), size: edited.length };
	},
};

function withoutOverlaps(matches: readonly number[], length: number): number[] {
	let end = 0;
	return matches.filter((at) => {
		const isApart = at >= end;
		if (isApart) end = at + length;
		return isApart;
	});
}

function replaceAt(text: string, matches: readonly number[], length: number, by: string): string {
	let end = 0;
	const kept = matches.map((at) => {
		const before = text.slice(end, at);
		end = at + length;
		return before;
	});
	return [...kept, text.slice(end)].join(by);
}

const lineAt = (text: string, at: number) => findAll(text.slice(0, at), "\n").length + 1;

const noMatch = (path: string, hint: string | undefined) =>
	unchanged(
		"no_match",
		`old_string was found 0 times in ${path}, so nothing was changed. ${hint ?? "Read the file and copy the text from there exactly."}`,
	);

const severalMatches = (path: string, count: number) =>
	unchanged(
		"several_matches",
		`old_string was found ${count} times in ${path}, so nothing was changed. Add lines around it that make it unique, or set replace_all to true.`,
	);

const unchanged = (reason: string, message: string) =>
	new Refused({ code: "conflict", reason, message, retryable: true, gate: false });
