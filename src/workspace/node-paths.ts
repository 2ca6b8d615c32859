interface Named {
	readonly id: number;
	readonly dir: number;
	readonly name: string;
	/** Where it once was, for one whose directories are gone. */
	readonly path: string | null;
}

/** The root of a tree shows as its mount: that of `tmp:42` is `/tmp`. */
const mountOf = (rootName: string): string => `/${rootName.split(":")[0]}`;

/** Tells the paths of nodes from their directories; each directory is looked up once. */
export class NodePaths {
	readonly #find: (id: number) => Named | undefined;
	readonly #known = new Map<number, string>();

	constructor(find: (id: number) => Named | undefined) {
		this.#find = find;
	}

	of(node: Named): string {
		const below: Named[] = [];
		const passed = new Set<number>();
		let at: Named | undefined = node;
		// Two moves that cross may have left a directory in itself.
		while (at && at.dir !== 0 && !this.#known.has(at.id) && !passed.has(at.id)) {
			below.push(at);
			passed.add(at.id);
			at = this.#find(at.dir);
		}
		let path = this.#top(at, below);
		for (const { id, name } of below.reverse()) {
			path = `${path}/${name}`;
			this.#known.set(id, path);
		}
		return path;
	}

	/** The path of where the climb ended; taken out of what is below it where that can only say where it once was. */
	#top(at: Named | undefined, below: Named[]): string {
		if (at?.dir === 0) return mountOf(at.name);
		const known = at && this.#known.get(at.id);
		return known ?? below.pop()?.path ?? "/…";
	}
}
