import { chmodSync, lstatSync } from "node:fs";
import path from "node:path";
import type { MirrorEntry } from "../../../src/shared/runner-mirrors";
import { stampOf, type Tree } from "./tree";

type FileOrDirectory = Pick<Exclude<MirrorEntry, { kind: "symlink" }>, "kind" | "mode">;

/** What owners must be allowed to do to read something and to change what is in it; root need not be. */
const dueModes = { directory: 0o700, file: 0o400 };

/** The mode in which the runner can use something that has, or is to have, a mode of its own. */
export const openMode = ({ kind, mode }: FileOrDirectory): number =>
	process.geteuid?.() === 0 ? mode : mode | dueModes[kind];

function closedIn(tree: Tree) {
	return [...tree].flatMap(([at, { entry }]) =>
		entry && entry.kind !== "symlink" && openMode(entry) !== entry.mode ? [{ at, entry }] : [],
	);
}

/** Opens what its mode forbids to the runner. The folder must be as the tree says. */
export function openAll(folder: string, tree: Tree): void {
	for (const { at, entry } of closedIn(tree)) chmodSync(path.join(folder, at), openMode(entry));
}

/** Gives everything the mode that the tree says, what lies deepest first. */
export function closeAll(folder: string, tree: Tree): void {
	for (const { at, entry } of closedIn(tree).reverse()) {
		const absolute = path.join(folder, at);
		chmodSync(absolute, entry.mode);
		tree.set(at, { entry, stamp: stampOf(lstatSync(absolute, { bigint: true })) });
	}
}
