/** What stands at a path of `/dev`: content that is no file. */
export interface Device {
	read(): Uint8Array;
	write(bytes: Uint8Array): void;
}

const nothing = new Uint8Array();

const discard: Device = { read: () => nothing, write() {} };

/**
 * The devices of one command line: `/dev/null`, and `/dev/fd/<n>` for the pipes of its process substitutions.
 * Of the machine itself nothing is there.
 */
export class Devices {
	readonly #pipes = new Map<string, Uint8Array>();

	/** Whether a path belongs to devices, there or not. */
	owns(path: string): boolean {
		return path === "/dev/null" || path.startsWith("/dev/fd/");
	}

	at(path: string): Device | undefined {
		return path === "/dev/null" ? discard : this.#pipeAt(path);
	}

	/** A pipe is made by the shell's first write. */
	open(path: string): Device {
		if (this.at(path) === undefined) this.#pipes.set(path, nothing);
		return this.at(path) ?? discard;
	}

	remove(path: string): void {
		this.#pipes.delete(path);
	}

	/** The same, with the standard streams of a command. */
	with(streams: StreamDevices): Pick<Devices, "owns" | "at" | "open" | "remove"> {
		return {
			owns: (path) => this.owns(path) || streams.at(path) !== undefined,
			at: (path) => streams.at(path) ?? this.at(path),
			open: (path) => streams.at(path) ?? this.open(path),
			remove: (path) => this.remove(path),
		};
	}

	#pipeAt(path: string): Device | undefined {
		const content = this.#pipes.get(path);
		if (content === undefined) return undefined;
		return {
			read: () => content,
			write: (bytes) => {
				this.#pipes.set(path, joined(content, bytes));
			},
		};
	}
}

/** The standard streams of one command, as it may name them among its files. */
export class StreamDevices {
	readonly #stdin: () => Uint8Array;
	readonly #written: Record<"/dev/stdout" | "/dev/stderr", Uint8Array> = {
		"/dev/stdout": nothing,
		"/dev/stderr": nothing,
	};

	constructor(stdin: () => Uint8Array) {
		this.#stdin = stdin;
	}

	at(path: string): Device | undefined {
		if (path === "/dev/stdin") return { read: this.#stdin, write() {} };
		if (path !== "/dev/stdout" && path !== "/dev/stderr") return undefined;
		return {
			read: () => nothing,
			write: (bytes) => {
				this.#written[path] = joined(this.#written[path], bytes);
			},
		};
	}

	/** What was written to them by name. */
	get written(): { readonly stdout: Uint8Array; readonly stderr: Uint8Array } {
		return { stdout: this.#written["/dev/stdout"], stderr: this.#written["/dev/stderr"] };
	}
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
	const bytes = new Uint8Array(first.length + second.length);
	bytes.set(first);
	bytes.set(second, first.length);
	return bytes;
}
