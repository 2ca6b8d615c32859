import type { Bash, Command } from "just-bash/browser";
import type { FileRefusal } from "../reply";
import { isProgramPath, type Lookup } from "./lookup";
import type { Redirections } from "./redirections";
import { type Run, RunEnded } from "./run";

export interface TableOptions {
	readonly run: Run;
	readonly lookup: Lookup;
	readonly redirections: Redirections;
	/** The SHELL list. */
	readonly listed: ReadonlySet<string>;
	/** Everything that this shell has, listed or not. */
	readonly available: ReadonlyMap<string, Command>;
	/** The command that runs a program on the runner. */
	program(name: string): Command;
}

/**
 * The commands of one run: exactly those on the SHELL list. The shell looks every name up here, whatever the name came out of, so
 * what is not in the table cannot run; asking for it ends the whole run with a refusal.
 */
export class CommandTable extends Map<string, Command> {
	readonly #run: Run;
	readonly #lookup: Lookup;
	readonly #redirections: Redirections;
	readonly #listed: ReadonlySet<string>;
	readonly #available: ReadonlyMap<string, Command>;

	constructor({ run, lookup, redirections, listed, available, program }: TableOptions) {
		super();
		this.#run = run;
		this.#lookup = lookup;
		this.#redirections = redirections;
		this.#listed = listed;
		this.#available = available;
		for (const name of listed) {
			if (!name.includes("/")) super.set(name, available.get(name) ?? program(name));
		}
		for (const name of shellOwn) {
			const command = available.get(name);
			if (command) super.set(name, command);
		}
	}

	/** The command that the shell is about to run. `has` and `keys` only tell what there is. */
	override get(name: string): Command | undefined {
		const command = this.#allowed(name);
		const unopened = command && this.#redirections.takeUnopened();
		return unopened === undefined ? command : saying(name, unopened);
	}

	#allowed(name: string): Command | undefined {
		const found = this.#lookup.take();
		if (found === undefined) return this.#refuse(name);
		if (found.at === "table") return super.get(name) ?? missingBuiltin(name) ?? this.#refuse(name);
		const { path, written, isExecutable } = found;
		// A folder of PATH may hold a file of this name that is no program; the search goes on then.
		if (written === undefined && !isExecutable) return undefined;
		if (!this.#listed.has(written ?? path)) return this.#refuse(written ?? path);
		if (isProgramPath(path)) return this.#programAt(path, name);
		this.#lookup.expectScript(path, (text) => {
			if (!isShellScript(text)) this.#end(programByPath(written ?? path));
		});
		return undefined;
	}

	/** just-bash runs its commands under these two folders only. */
	#programAt(path: string, name: string): Command {
		const command = path === `/bin/${name}` || path === `/usr/bin/${name}` ? this.#available.get(name) : undefined;
		if (!command) this.#run.end(programByPath(path));
		return command ?? refused(name);
	}

	#end(refusal: FileRefusal): never {
		this.#run.end(refusal);
		throw new RunEnded();
	}

	#refuse(name: string): Command {
		this.#run.end(notListed(name));
		return refused(name);
	}
}

const refused = (name: string): Command => ({ name, execute: () => Promise.reject(new RunEnded()) });

/** A script without a `#!` is one of the shell too. */
const isShellScript = (text: string): boolean => !text.startsWith("#!") || /^#! *\S*\b(ba|da)?sh\b/.test(text);

/** The commands that `bash` came with. Throws when they are in another place than known. */
export function commandsOf(bash: Bash): Map<string, Command> {
	const commands: unknown = Reflect.get(bash, "commands");
	if (!(commands instanceof Map)) throw new Error("just-bash keeps its commands in another place.");
	return commands;
}

/** Puts the table where `bash` looks commands up. Throws when it is no longer the place: then nothing may run. */
export function installTable(bash: Bash, table: CommandTable): void {
	commandsOf(bash);
	Reflect.set(bash, "commands", table);
}

/** A shell that has not changed its folder has no OLDPWD; just-bash begins with one. */
export function forgetOldFolder(bash: Bash): void {
	const state: unknown = Reflect.get(bash, "state");
	const variables: unknown = typeof state === "object" && state !== null && Reflect.get(state, "env");
	if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables in another place.");
	variables.delete("OLDPWD");
}

/** Builtins of bash that steer the shell alone, and that just-bash keeps among its commands. */
const shellOwn = ["alias", "unalias", "history"];

/** Builtins of bash that steer the shell alone and that this shell does not have; listing them would not help. */
const missingBuiltins: ReadonlySet<string> = new Set(
	"bg bind caller disown enable fc fg jobs kill logout suspend times trap ulimit umask".split(" "),
);

const missingBuiltin = (name: string): Command | undefined =>
	missingBuiltins.has(name) ? saying(name, `bash: ${name}: this shell does not have it\n`) : undefined;

/** A command that only fails. */
const saying = (name: string, stderr: string): Command => ({
	name,
	execute: async () => ({ stdout: "", stderr, exitCode: 1 }),
});

const notListed = (name: string): FileRefusal => ({
	code: "not_listed",
	reason: "command_not_allowed",
	message: `The command ${JSON.stringify(shorten(name))} is not on the SHELL list, so the whole command line was refused and nothing was changed.`,
	retryable: false,
	gate: true,
});

const programByPath = (path: string): FileRefusal => ({
	code: "invalid_arguments",
	reason: "program_by_path",
	message: `${JSON.stringify(path)} is a program of the runner or a script for one, and those are run by their bare names only, as in "python3 script.py". Nothing was changed.`,
	retryable: true,
	gate: false,
});

const shorten = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name);
