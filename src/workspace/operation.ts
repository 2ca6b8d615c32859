import type { FileRules } from "../gates/file";
import type { FileSystem } from "./file-system";

/**
 * One thing that is done to files, in one go: it throws FsError, FileRefused or Refused, and has then changed nothing.
 * `files` judge each path themselves; `rules` say where a relative one begins.
 */
export interface Operation<Input, Output> {
	readonly writes: boolean;
	readonly run: (files: FileSystem, input: Input, rules: FileRules) => Output;
}

/** One that looks for as long as it takes: between its steps others have their turn, and may change what it has not come to yet. */
export interface SteppedOperation<Input, Output> {
	readonly writes: false;
	readonly steps: (files: FileSystem, input: Input, rules: FileRules) => Generator<void, Output, void>;
}
