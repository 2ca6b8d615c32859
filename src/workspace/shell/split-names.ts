import type { Bash } from "just-bash/browser";

type Plugin = Parameters<Bash["registerTransformPlugin"]>[0];
type Script = Parameters<Plugin["transform"]>[0]["ast"];

interface SimpleCommand {
	readonly type: "SimpleCommand";
	name: { readonly parts: readonly { readonly type: string }[] } | null;
	args: unknown[];
}

const expansions: ReadonlySet<string> = new Set(["CommandSubstitution", "ParameterExpansion", "ArithmeticExpansion"]);

/**
 * Makes `$command argument` split as bash splits it. just-bash takes the whole value for the name, but splits arguments and takes
 * the first of them for the name when the name is empty; so an unquoted expansion moves there.
 */
export function splitNames(bash: Bash): void {
	const [empty] = simpleCommandsIn(bash.transform(`\${HOME+} x`).ast);
	if (!empty) throw new Error("just-bash parses commands in another way.");
	const { name: emptyName } = empty;
	bash.registerTransformPlugin({
		name: "split-names",
		transform({ ast }: { ast: Script }) {
			for (const command of simpleCommandsIn(ast)) {
				const { name } = command;
				if (!name?.parts.length || !name.parts.every(({ type }) => expansions.has(type))) continue;
				command.args = [name, ...command.args];
				command.name = emptyName;
			}
			return { ast };
		},
	});
}

/** Every simple command of a script, however deep. */
function simpleCommandsIn(node: unknown, found: SimpleCommand[] = []): SimpleCommand[] {
	if (typeof node !== "object" || node === null) return found;
	if (isSimpleCommand(node)) found.push(node);
	for (const inner of Object.values(node)) simpleCommandsIn(inner, found);
	return found;
}

const isSimpleCommand = (node: object): node is SimpleCommand => "type" in node && node.type === "SimpleCommand";
