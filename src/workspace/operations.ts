import type { WorkspaceContext } from "./context";
import { rulesOf } from "./guarded";
import type { Operation, SteppedOperation } from "./operation";
import { appendText } from "./operations/append-text";
import { copy } from "./operations/copy";
import { editText } from "./operations/edit-text";
import { glob } from "./operations/glob";
import { grep } from "./operations/grep";
import { list } from "./operations/list";
import { makeDir } from "./operations/make-dir";
import { move } from "./operations/move";
import { readText } from "./operations/read-text";
import { remove } from "./operations/remove";
import { stat } from "./operations/stat";
import { writeText } from "./operations/write-text";
import type { FileReply } from "./reply";
import type { Workspace } from "./workspace";

/** Everything that tools do to files, by name. */
const operations = {
	read_text: readText,
	write_text: writeText,
	append_text: appendText,
	edit_text: editText,
	list,
	glob,
	grep,
	make_dir: makeDir,
	move,
	copy,
	remove,
	stat,
} as const satisfies Record<string, Operation<never, unknown> | SteppedOperation<never, unknown>>;

type Operations = typeof operations;
export type OperationName = keyof Operations;
export type OperationInput<Name extends OperationName> = Operations[Name] extends
	| Operation<infer Input, unknown>
	| SteppedOperation<infer Input, unknown>
	? Input
	: never;
export type OperationOutput<Name extends OperationName> = Operations[Name] extends
	| Operation<never, infer Output>
	| SteppedOperation<never, infer Output>
	? Output
	: never;

type Entry<Input, Output> = Operation<Input, Output> | SteppedOperation<Input, Output>;
const table: { readonly [Name in OperationName]: Entry<OperationInput<Name>, OperationOutput<Name>> } = operations;

export interface OperationCall<Name extends OperationName> {
	readonly name: Name;
	readonly input: OperationInput<Name>;
	/** Ends one that looks for long. */
	readonly signal: AbortSignal;
}

/** Runs an operation on a workspace; one that changes something runs once per call id. */
export function runOperation<Name extends OperationName>(
	workspace: Pick<Workspace, "read" | "readInSteps" | "change">,
	context: WorkspaceContext,
	{ name, input, signal }: OperationCall<Name>,
): Promise<FileReply<OperationOutput<Name>>> {
	const operation: Entry<OperationInput<Name>, OperationOutput<Name>> = table[name];
	const rules = rulesOf(context);
	if ("steps" in operation)
		return workspace.readInSteps(context, (files) => operation.steps(files, input, rules), signal);
	return workspace[operation.writes ? "change" : "read"](context, (files) => operation.run(files, input, rules));
}
