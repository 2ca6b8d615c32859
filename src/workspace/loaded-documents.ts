import { type Documents, DocumentsNeeded } from "./documents";

/** Where the read-only documents of the virtual tree come from. */
export interface DocumentSource {
	readonly skills: readonly string[];
	readonly hasMemory: boolean;
	/** The body of a skill, MEMORY.md, or a kept output; undefined when there is none. */
	skill(name: string): Promise<string | undefined>;
	memory(): Promise<string>;
	artifactIds(): Promise<readonly string[]>;
	artifact(id: string): Promise<string | undefined>;
}

type Document = ReturnType<Documents["look"]>;

/** The documents of one call, loaded as they are looked at: a synchronous look that comes too early asks for the load by DocumentsNeeded. */
export class LoadedDocuments implements Documents {
	readonly #source: DocumentSource;
	readonly #now: () => number;
	readonly #loaded = new Map<string, Document>();

	constructor(source: DocumentSource, now: () => number) {
		this.#source = source;
		this.#now = now;
	}

	look(path: string): Document {
		const [, mount = "", name, file, ...rest] = path.split("/");
		if (rest.length > 0) return undefined;
		if (mount === "skills") return this.#lookAtSkill(path, name, file);
		if (file !== undefined) return undefined;
		if (mount === "memory") return this.#lookAtMemory(path, name);
		return mount === "artifacts" ? this.#need(path) : undefined;
	}

	/** Runs a synchronous use of the documents, loading what it asks for; it must change nothing before it has looked. */
	async use<Result>(run: () => Result): Promise<Result> {
		for (;;) {
			try {
				return run();
			} catch (error) {
				if (!(error instanceof DocumentsNeeded)) throw error;
				this.#loaded.set(error.path, await this.#load(error.path));
			}
		}
	}

	#lookAtSkill(path: string, name: string | undefined, file: string | undefined): Document {
		if (name === undefined) return { kind: "directory", names: this.#source.skills };
		if (!this.#source.skills.includes(name)) return undefined;
		if (file === undefined) return { kind: "directory", names: ["SKILL.md"] };
		return file === "SKILL.md" ? this.#need(path) : undefined;
	}

	#lookAtMemory(path: string, name: string | undefined): Document {
		const names = this.#source.hasMemory ? ["MEMORY.md"] : [];
		if (name === undefined) return { kind: "directory", names };
		return names.includes(name) ? this.#need(path) : undefined;
	}

	#need(path: string): Document {
		if (!this.#loaded.has(path)) throw new DocumentsNeeded(path);
		return this.#loaded.get(path);
	}

	async #load(path: string): Promise<Document> {
		const [, mount, name] = path.split("/");
		if (mount === "artifacts" && name === undefined)
			return { kind: "directory", names: await this.#source.artifactIds() };
		const text = await this.#text(mount, name ?? "");
		return text === undefined ? undefined : { kind: "file", text, mtimeMs: this.#now() };
	}

	async #text(mount: string | undefined, name: string): Promise<string | undefined> {
		if (mount === "skills") return await this.#source.skill(name);
		if (mount === "memory") return await this.#source.memory();
		return await this.#source.artifact(name);
	}
}
