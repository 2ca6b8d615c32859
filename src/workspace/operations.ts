import type { WorkspaceContext } from "./context";
import { rulesOf } from "./guarded";
import type { Operation } from "./operation";
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
} as const satisfies Record<string, Operation<never, unknown>>;

export type OperationName = keyof typeof operations;
export type OperationInput<Name extends OperationName> = Parameters<(typeof operations)[Name]["run"]>[1];
export type OperationOutput<Name extends OperationName> = ReturnType<(typeof operations)[Name]["run"]>;

const table: { readonly [Name in OperationName]: Operation<OperationInput<Name>, OperationOutput<Name>> } = operations;

/** Runs an operation on a workspace; one that changes something runs once per call id. */
export function runOperation<Name extends OperationName>(
	workspace: Pick<Workspace, "read" | "change">,
	context: WorkspaceContext,
	name: Name,
	input: OperationInput<Name>,
): Promise<FileReply<OperationOutput<Name>>> {
	const { writes, run } = table[name];
	const rules = rulesOf(context);
	return workspace[writes ? "change" : "read"](context, (files) => run(files, input, rules));
}
