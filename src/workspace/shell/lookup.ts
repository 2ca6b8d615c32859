import type { FsStat, IFileSystem } from "just-bash/browser";

/** Where the shell has just looked for a program: in its table, or at a path. */
export type Found =
	| { readonly at: "table" }
	| {
			readonly at: "path";
			readonly path: string;
			/** As the command line wrote it, when it named the path itself. */
			readonly written: string | undefined;
			readonly isExecutable: boolean;
	  };

const programPath = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/;

/** Whether a path is one where programs are installed elsewhere; there are none here but those of the table. */
export const isProgramPath = (path: string): boolean => programPath.test(path);

/** What asks whether a file is there as the search for a program does. */
const asking: ReadonlySet<string> = new Set([
	"bash:cmd:ConditionalCommand",
	"bash:builtin:[",
	"bash:builtin:test",
	"bash:builtin:type",
]);
/** Builtins that run the command that they are given. */
const running: ReadonlySet<string> = new Set(["bash:builtin:command", "bash:builtin:builtin", "bash:builtin:exec"]);
/** Builtins that may switch `noclobber` on, by which a redirection asks so too. */
const setting: ReadonlySet<string> = new Set(["bash:builtin:set", "bash:builtin:shopt"]);

/**
 * The files as the shell itself sees them, which it asks in a fixed order when it looks for a program: a name with `/` by
 * `resolvePath`, `exists`, `stat`; a bare name by `exists` and `stat` in each folder of PATH, and at last by `exists("/usr/bin")`,
 * whose absence sends it to the table. Commands run one after the other and have files of their own, so what was asked last tells
 * how the name that the table is asked for was meant.
 */
export class Lookup {
	readonly files: IFileSystem;
	readonly #isListed: (name: string) => boolean;
	/** Commands that have begun and have not been looked up yet. */
	#expected = 0;
	/** Whether the one that began last has been met already: some builtins are in the table too. */
	#isMet = false;
	#mayClobber = true;
	#written: { readonly text: string; readonly path: string } | undefined;
	#existing: { readonly path: string; readonly written: string | undefined; readonly isMissing: boolean } | undefined;
	#found: Found | undefined;
	#script: { readonly path: string; readonly judge: (text: string) => void } | undefined;

	constructor(files: IFileSystem, isListed: (name: string) => boolean) {
		this.#isListed = isListed;
		this.files = {
			...this.#forgettingAll(files),
			resolvePath: (base, text) => {
				this.#forget();
				const path = files.resolvePath(base, text);
				this.#written = text.includes("/") ? { text, path } : undefined;
				return path;
			},
			exists: (path) => this.#exists(files, path),
			stat: (path) => this.#stat(files, path),
			readFile: async (path, encoding) => {
				const script = this.#script;
				this.#forget();
				const text = await files.readFile(path, encoding);
				if (script?.path === path) script.judge(text);
				return text;
			},
		};
	}

	/** just-bash is about to do what it tells of to its coverage. */
	hear(feature: string): void {
		if (setting.has(feature)) this.#mayClobber = false;
		if (feature === "bash:cmd:SimpleCommand") this.#begin();
		else if (asking.has(feature)) this.#expected = 0;
		else if (feature.startsWith("bash:builtin:") && !running.has(feature)) this.#meet();
	}

	/** The shell is about to read a file to run it; `judge` sees the text first, and may throw. */
	expectScript(path: string, judge: (text: string) => void): void {
		this.#script = { path, judge };
	}

	/** What the table is being asked about; known once, right after the shell has looked. */
	take(): Found | undefined {
		const found = this.#found;
		this.#forget();
		this.#meet();
		return found;
	}

	#begin(): void {
		this.#expected++;
		this.#isMet = false;
	}

	#meet(): void {
		if (!this.#isMet) this.#expected = Math.max(0, this.#expected - 1);
		this.#isMet = true;
	}

	#forget(): void {
		this.#written = undefined;
		this.#existing = undefined;
		this.#found = undefined;
		this.#script = undefined;
	}

	async #exists(files: IFileSystem, path: string): Promise<boolean> {
		const written = this.#written?.path === path ? this.#written.text : undefined;
		this.#forget();
		if (path === "/usr/bin") {
			this.#found = { at: "table" };
			return false;
		}
		const exists = isProgramPath(path) ? written !== undefined : await files.exists(path);
		const isMissing = !exists && written !== undefined && this.#isToBeRefused(written);
		this.#existing = { path, written, isMissing };
		return exists || isMissing;
	}

	/** A command that is not listed is refused whether or not there is a file of its name, so that it must look as if there were one. */
	#isToBeRefused(written: string): boolean {
		return this.#expected > 0 && this.#mayClobber && !this.#isListed(written);
	}

	async #stat(files: IFileSystem, path: string): Promise<FsStat> {
		const { written, isMissing = false } = (this.#existing?.path === path && this.#existing) || {};
		this.#forget();
		if (isProgramPath(path) && written === undefined)
			throw new Error(`ENOENT: no such file or directory, stat '${path}'`);
		const isProgram = isProgramPath(path) || isMissing;
		const stat = isProgram ? programStat(this.#isListed(written ?? path)) : await files.stat(path);
		this.#found = { at: "path", path, written, isExecutable: (stat.mode & 0o111) !== 0 };
		return stat;
	}

	/** Every other question makes the last one no question about a program. */
	#forgettingAll(files: IFileSystem): IFileSystem {
		const entries = Object.entries(files).map(([name, method]) => [
			name,
			(...given: unknown[]) => {
				this.#forget();
				return Reflect.apply(method, files, given);
			},
		]);
		return Object.fromEntries(entries);
	}
}

/** A program that is not listed is there only to be refused, so it does not look as if it could be run. */
const programStat = (isListed: boolean): FsStat => ({
	isFile: true,
	isDirectory: false,
	isSymbolicLink: false,
	mode: isListed ? 0o755 : 0,
	size: 0,
	mtime: new Date(0),
});
