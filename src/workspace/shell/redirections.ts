import type { IFileSystem } from "just-bash/browser";
import { RunEnded } from "./run";

/**
 * The files as the shell itself writes them for `>`. just-bash takes every such write for a success, and an error would end the whole
 * line; so it is kept here, and the command whose output cannot be opened fails by it, as in bash.
 */
export class Redirections {
	readonly files: IFileSystem;
	/** By path, what is still to be told, or nothing where it has been. */
	readonly #failed = new Map<string, string | undefined>();
	#unopened: string | undefined;

	constructor(files: IFileSystem) {
		this.files = {
			...files,
			writeFile: (path, content, options) =>
				this.#attempt(path, content === "", () => files.writeFile(path, content, options)),
			appendFile: (path, content, options) =>
				this.#attempt(path, content === "", () => files.appendFile(path, content, options)),
		};
	}

	/** What to say for the command that is about to run: its output could not be opened. */
	takeUnopened(): string | undefined {
		const path = this.#unopened;
		this.#unopened = undefined;
		if (path === undefined) return undefined;
		const sentence = this.#failed.get(path);
		this.#failed.set(path, undefined);
		return sentence;
	}

	/** Another command begins: a failure that is still to be told is none of its. */
	forget(): void {
		this.#unopened = undefined;
	}

	/** What no command has told: of a builtin's or a compound command's output, and of writes that failed later. */
	get untold(): readonly string[] {
		return [...this.#failed.values()].filter((sentence) => sentence !== undefined);
	}

	async #attempt(path: string, isOpening: boolean, write: () => Promise<void>): Promise<void> {
		try {
			await write();
			this.#failed.delete(path);
		} catch (error) {
			if (error instanceof RunEnded) throw error;
			if (!isOpening && this.#failed.has(path)) return;
			this.#failed.set(path, `bash: ${path}: ${reasonOf(error)}\n`);
			if (isOpening) this.#unopened = path;
		}
	}
}

const reasons: Readonly<Record<string, string>> = {
	ENOENT: "No such file or directory",
	ENOTDIR: "Not a directory",
	EISDIR: "Is a directory",
	EACCES: "Permission denied",
	EROFS: "Read-only file system",
	EDQUOT: "Disk quota exceeded",
	EFBIG: "File too large",
	ELOOP: "Too many levels of symbolic links",
	ENAMETOOLONG: "File name too long",
};

function reasonOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return reasons[message.slice(0, message.indexOf(":"))] ?? message;
}
