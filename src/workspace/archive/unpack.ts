import { type FileRules, judgePlace } from "../../gates/file";
import { isWithin } from "../../gates/path";
import { InflateError } from "../../lib/zlib-stream";
import { FsError } from "../fs-error";
import { lookAtLink } from "../operations/look";
import { childOf, nameBelow, parentOf } from "../paths";
import type { Use } from "../workspace";
import { type ArchiveEntry, ArchiveRefused } from "./archive-entry";
import { entryPath, staysInside } from "./entry-path";
import { type ArchiveLimits, MadePaths } from "./made-paths";

export interface Unpacked {
	/** The directory that was unpacked into. */
	readonly path: string;
	readonly files: number;
	/** Those that it names and that were not there before. */
	readonly directories: number;
	readonly links: number;
	readonly bytes: number;
	/** Left out because a rule protects them, at most 1,000. */
	readonly skipped: readonly { readonly path: string; readonly reason: string }[];
	readonly moreSkipped: number;
}

const maxSkipped = 1_000;
/** What is done between two rests, in bytes; an entry without any costs about as much as so many. */
const bytesBetweenRests = 4_194_304;
const bytesPerEntry = 65_536;
/** Reasons to leave an entry out; any other refusal is one of the whole archive. */
const skippable: readonly string[] = ["protected_path", "memory_acl"];

/** Puts entries below a directory, one by one. Throws ArchiveRefused, FileRefused and FsError; what was put down is then to be dropped. */
export class Unpacking {
	readonly #use: Use;
	readonly #top: string;
	readonly #rules: FileRules;
	readonly #limits: ArchiveLimits;
	readonly #made: MadePaths;
	readonly #parents = new Set<string>();
	readonly #links: string[] = [];
	readonly #times: { path: string; mtimeMs: number }[] = [];
	readonly #skipped: { path: string; reason: string }[] = [];
	readonly #counts = { files: 0, directories: 0, links: 0, bytes: 0, skipped: 0 };
	#sinceRest = 0;

	/** `top` is an absolute path. */
	constructor(use: Use, { top, rules, limits }: { top: string; rules: FileRules; limits: ArchiveLimits }) {
		this.#use = use;
		this.#top = top;
		this.#rules = rules;
		this.#limits = limits;
		this.#made = new MadePaths(limits);
	}

	async run(entries: AsyncIterable<ArchiveEntry>): Promise<Unpacked> {
		await this.#use.read(() => this.#use.files.makeDirectory(this.#top, { parents: true }));
		for await (const entry of entries) {
			await this.#put(entry);
			await this.#rest(bytesPerEntry);
		}
		for (const path of this.#links) await this.#use.read(() => this.#checkLink(path));
		// Whatever is put into a directory sets its time, so that the times come last.
		for (const { path, mtimeMs } of this.#times)
			await this.#use.read(() => this.#use.files.setTimes(path, { mtimeMs }));
		const { skipped, ...counts } = this.#counts;
		return { path: this.#top, ...counts, skipped: this.#skipped, moreSkipped: skipped - this.#skipped.length };
	}

	async #put(entry: ArchiveEntry): Promise<void> {
		const { read, files } = this.#use;
		const name = entryPath(entry);
		if (name === "") {
			if (entry.kind === "directory") return;
			throw new ArchiveRefused("unsafe_name", "its name is empty.", entry.name);
		}
		this.#made.add(name, entry.kind);
		const path = childOf(this.#top, name);
		const reason = this.#whyLeftOut(path, entry.kind);
		if (reason) return this.#skip(name, reason);
		if (entry.kind === "directory") return await read(() => this.#makeDirectory(path, entry));
		if (entry.kind === "symlink") return await read(() => this.#makeLink(name, path, entry.target ?? ""));
		const content = files.beginContent();
		try {
			for await (const bytes of entry.content) {
				this.#count(bytes.length, name);
				content.write(bytes);
				await this.#rest(bytes.length);
			}
			await read(() => {
				this.#makeRoom(path);
				files.place(path, content, { mode: entry.mode, mtimeMs: entry.mtimeMs });
			});
			this.#counts.files++;
		} catch (error) {
			if (!(error instanceof InflateError)) throw error;
			throw new ArchiveRefused("broken_archive", `it cannot be decompressed (${error.message}).`, name);
		} finally {
			content.discard();
		}
	}

	/** Why an entry is left out, or undefined. By its text alone: what its links lead to is judged where it is put down. */
	#whyLeftOut(path: string, kind: ArchiveEntry["kind"]): string | undefined {
		const access = { file: "write", directory: "make_directory", symlink: "place" } as const;
		const verdict = judgePlace({ asked: path, path }, access[kind], this.#rules);
		return !verdict.ok && skippable.includes(verdict.reason) ? verdict.reason : undefined;
	}

	#skip(path: string, reason: string): void {
		this.#counts.skipped++;
		if (this.#skipped.length < maxSkipped) this.#skipped.push({ path, reason });
	}

	#makeDirectory(path: string, { mode, mtimeMs }: ArchiveEntry): void {
		const { files } = this.#use;
		this.#makeParents(path);
		const before = lookAtLink(files, path);
		if (before && before.kind !== "directory") throw new FsError("EEXIST", path, `it is a ${before.kind}`);
		if (before) return;
		files.makeDirectory(path, mode === undefined ? {} : { mode });
		this.#counts.directories++;
		// A protected directory may be made, but not given a time.
		const mayChange = this.#whyLeftOut(path, "file") === undefined;
		if (mtimeMs !== undefined && mayChange) this.#times.push({ path, mtimeMs });
	}

	#makeLink(name: string, path: string, target: string): void {
		if (!staysInside(name, target)) {
			throw new ArchiveRefused("unsafe_link", "it points out of the directory that is unpacked into.", name);
		}
		this.#makeRoom(path);
		this.#use.files.symlink(target, path);
		this.#links.push(path);
		this.#counts.links++;
	}

	/** A file or link that is there gives way, so that nothing is written through a link; a directory does not. */
	#makeRoom(path: string): void {
		const { files } = this.#use;
		this.#makeParents(path);
		const before = lookAtLink(files, path);
		if (before?.kind === "directory") throw new FsError("EEXIST", path, "it is a directory");
		if (before) files.unlink(path);
	}

	/** Each once: most entries lie beside the one before. A link that was there leads nowhere here, not even to a directory inside. */
	#makeParents(path: string): void {
		const parent = parentOf(path);
		if (path === this.#top || this.#parents.has(parent)) return;
		const { files } = this.#use;
		this.#makeParents(parent);
		if (parent !== this.#top && lookAtLink(files, parent)?.kind === "symlink") {
			throw new ArchiveRefused("unsafe_link", "what lies above it is a symbolic link already.", this.#nameOf(path));
		}
		files.makeDirectory(parent, { parents: true });
		this.#parents.add(parent);
	}

	/** As the archive has it, but for dots and slashes too many. */
	#nameOf(path: string): string {
		return nameBelow(this.#top, path);
	}

	#checkLink(path: string): void {
		const { files } = this.#use;
		if (isWithin(files.resolve(path), files.resolve(this.#top))) return;
		throw new ArchiveRefused("unsafe_link", "it leads out of the directory that is unpacked into.", this.#nameOf(path));
	}

	/** Lets others have their turn: a zip that has arrived is unpacked without anything to wait for. */
	async #rest(bytes: number): Promise<void> {
		this.#sinceRest += bytes;
		if (this.#sinceRest < bytesBetweenRests) return;
		this.#sinceRest = 0;
		await new Promise((resolve) => setTimeout(resolve, 0));
	}

	#count(length: number, name: string): void {
		this.#counts.bytes += length;
		const { maxBytes } = this.#limits;
		if (this.#counts.bytes <= maxBytes) return;
		throw new ArchiveRefused(
			"archive_too_large",
			`with it the archive holds more than the ${maxBytes} bytes that there may be.`,
			name,
		);
	}
}
