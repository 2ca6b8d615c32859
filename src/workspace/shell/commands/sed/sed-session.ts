import type { ExecResult, ResolvedCommandContext } from "just-bash/browser";
import { fromBytes, linesOf, pathOf, readBytes, reasonOf, result, stdinOf, toBytes } from "../own";
import { type SedFile, SedInput } from "./sed-input";
import { SedOutput } from "./sed-output";
import { SedRun } from "./sed-run";
import type { SedCommand } from "./sed-script";
import { SedWork } from "./sed-work";

export interface SedSettings {
	readonly script: readonly SedCommand[];
	readonly context: ResolvedCommandContext;
	/** Of the backups of files that are edited in place, empty for none; undefined when nothing is. A `*` in it stands for the name. */
	readonly ending: string | undefined;
	readonly isQuiet: boolean;
	readonly isSeparate: boolean;
	readonly end: string;
	readonly lineLength: number;
}

/** One call of sed: its files, and what it writes where. */
export class SedSession {
	readonly #settings: SedSettings;
	readonly #work: SedWork;
	readonly #stdout: SedOutput;
	readonly #stderr: SedOutput;
	/** By the name that the script has for it. */
	readonly #outputs: Map<string, SedOutput>;
	readonly #readLines = new Map<string, string[]>();
	#errors = "";
	#exitCode = 0;

	constructor(settings: SedSettings) {
		this.#settings = settings;
		const { limits, sleep } = settings.context;
		this.#work = new SedWork({
			maxChars: limits.maxStringLength,
			maxCommands: limits.maxSedIterations,
			pause: async () => await sleep?.(0),
		});
		this.#stdout = this.#newOutput();
		this.#stderr = this.#newOutput();
		this.#outputs = new Map([
			["/dev/stdout", this.#stdout],
			["/dev/stderr", this.#stderr],
		]);
	}

	/** Edits files by their names; `-` is standard input. Throws SedLimit. */
	async edit(names: readonly string[]): Promise<ExecResult> {
		const { script, isSeparate, ending } = this.#settings;
		for (const { file, substitution, name } of script) {
			const target = name === "w" || name === "W" ? file : substitution?.file;
			if (target !== undefined && !(await this.#openOutput(target))) return this.#result();
		}
		const groups = isSeparate ? names.map((name) => [name]) : [names];
		for (const group of groups) {
			const isOver =
				ending === undefined ? await this.#run(group, this.#stdout) : await this.#editInPlace(group[0] ?? "-");
			if (isOver) break;
		}
		for (const [file, output] of this.#outputs) {
			if (output !== this.#stdout && output !== this.#stderr) await this.#write(file, output.text);
		}
		return this.#result();
	}

	#result(): ExecResult {
		return result(toBytes(this.#stdout.text), this.#errors + this.#stderr.text, this.#exitCode);
	}

	#newOutput(): SedOutput {
		return new SedOutput(this.#work, this.#settings.end);
	}

	async #run(names: readonly string[], output: SedOutput): Promise<boolean> {
		const { script, isQuiet, end, lineLength, context } = this.#settings;
		const input = new SedInput(
			names.map((name) => this.#fileAt(name)),
			end,
		);
		const run = new SedRun({
			...{ script, isQuiet, end, lineLength, input, output, work: this.#work },
			outputTo: (file) => this.#outputs.get(file) ?? output,
			contentOf: async (file) => fromBytes(await readBytes(context, file).catch(() => "")),
			lineOf: (file) => this.#nextLine(file),
		});
		const { exitCode, isOver } = await run.run();
		if (exitCode !== 0) this.#exitCode = exitCode;
		return isOver;
	}

	#fileAt(name: string): SedFile {
		const { context } = this.#settings;
		return {
			name,
			read: async () => {
				if (name === "-") return stdinOf(context);
				try {
					return await readBytes(context, name);
				} catch (error) {
					const reason = reasonOf(error);
					if (reason === "Is a directory") this.#fail(`read error on ${name}: ${reason}`, 4);
					else this.#fail(`can't read ${name}: ${reason}`, 2);
					return undefined;
				}
			},
		};
	}

	async #editInPlace(name: string): Promise<boolean> {
		const { context, ending = "" } = this.#settings;
		const path = pathOf(context, name);
		const stat = await context.fs.stat(path).catch(() => undefined);
		if (stat && !stat.isFile) {
			this.#fail(`couldn't edit ${name}: not a regular file`, 4);
			return false;
		}
		const output = this.#newOutput();
		const isOver = await this.#run([name], output);
		if (!stat) return isOver;
		if (ending !== "") await context.fs.cp(path, backupOf(path, ending));
		await this.#write(name, output.text);
		return isOver;
	}

	async #openOutput(file: string): Promise<boolean> {
		if (this.#outputs.has(file)) return true;
		this.#outputs.set(file, this.#newOutput());
		return await this.#write(file, "");
	}

	async #write(file: string, text: string): Promise<boolean> {
		const { context } = this.#settings;
		try {
			await context.fs.writeFile(pathOf(context, file), new TextEncoder().encode(text));
			return true;
		} catch (error) {
			this.#fail(`couldn't open file ${file}: ${reasonOf(error)}`, 4);
			return false;
		}
	}

	async #nextLine(file: string): Promise<string | undefined> {
		const { context, end } = this.#settings;
		const known = this.#readLines.get(file);
		const lines = known ?? linesOf(await readBytes(context, file).catch(() => ""), end).reverse();
		if (known === undefined) this.#readLines.set(file, lines);
		const line = lines.pop();
		return line === undefined ? undefined : fromBytes(line);
	}

	#fail(message: string, exitCode: number): void {
		this.#errors += `sed: ${message}\n`;
		this.#exitCode = Math.max(this.#exitCode, exitCode);
	}
}

function backupOf(path: string, ending: string): string {
	const at = path.lastIndexOf("/") + 1;
	const name = path.slice(at);
	return path.slice(0, at) + (ending.includes("*") ? ending.replaceAll("*", () => name) : name + ending);
}
