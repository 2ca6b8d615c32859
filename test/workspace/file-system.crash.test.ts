import { describe, expect, it } from "vitest";
import type { Database, SqlValue } from "../../src/workspace/database";
import type { FileSystem } from "../../src/workspace/file-system";
import { commitLayer, createLayer, dropLayer } from "../../src/workspace/layers";
import { dropRoot, openFileSystem, openRoot } from "../../src/workspace/open-file-system";
import { faultsOf } from "../support/node/file-invariants";
import { SqliteDatabase } from "../support/node/sqlite-database";
import { memoryWorkspace, rootIn } from "../support/node/workspace";

/** Fails at one of the statements to come, as when the process is killed there. */
class DyingDatabase implements Database {
	readonly #db: Database;
	left = Number.POSITIVE_INFINITY;

	constructor(db: Database) {
		this.#db = db;
	}

	exec<Row extends Record<string, SqlValue>>(query: string, ...bindings: (SqlValue | Uint8Array)[]) {
		if (this.left-- <= 0) throw new Error("killed");
		return this.#db.exec<Row>(query, ...bindings);
	}

	transaction<Result>(run: () => Result): Result {
		return this.#db.transaction(run);
	}
}

const chunk = 524_288;
const filled = (length: number, value: number) => new Uint8Array(length).fill(value);

interface World {
	readonly db: Database;
	readonly files: FileSystem;
	readonly layer: number;
}

/** Files of one, of several and of shared chunks, and a layer that changes most of them. */
function begin() {
	const sqlite = new SqliteDatabase();
	const { files, options, inode } = memoryWorkspace({}, sqlite);
	files.makeDirectory("/workspace/d/e", { parents: true });
	files.write("/workspace/small", filled(10, 1));
	files.write("/workspace/large", filled(2 * chunk + 10, 2));
	files.copyFile("/workspace/large", "/workspace/d/copy");
	files.write("/workspace/d/e/small", filled(10, 3));
	files.symlink("small", "/workspace/link");
	const layer = createLayer(sqlite, { parent: 0 });
	const inLayer = openFileSystem(sqlite, { ...options, roots: { ...options.roots, workspace: rootIn(inode, layer) } });
	inLayer.write("/workspace/small", filled(20, 4));
	inLayer.append("/workspace/large", filled(chunk, 5));
	inLayer.rename("/workspace/d", "/workspace/moved");
	inLayer.unlink("/workspace/link");
	const db = new DyingDatabase(sqlite);
	return { sqlite, db, layer, options, files: openFileSystem(db, options) };
}

const changes: Readonly<Record<string, (world: World) => void>> = {
	"a new file": ({ files }) => files.write("/workspace/new", filled(chunk + 1, 6)),
	"an overwritten file": ({ files }) => files.write("/workspace/large", filled(20, 7)),
	"an appended file": ({ files }) => void files.append("/workspace/d/copy", filled(chunk, 8)),
	"a file written in the middle": ({ files }) => files.writeAt("/workspace/large", chunk - 5, filled(10, 9)),
	"a file made shorter": ({ files }) => files.truncate("/workspace/large", chunk + 5),
	"content in pieces": ({ files }) => {
		const content = files.beginContent();
		for (let piece = 0; piece < 5; piece++) content.write(filled(chunk / 2 + 1, 10 + piece));
		files.place("/workspace/large", content);
	},
	"content that is given up": ({ files }) => {
		const content = files.beginContent();
		content.write(filled(2 * chunk, 10));
		content.discard();
	},
	"a reader of a file that is overwritten": ({ files }) => {
		for (const piece of files.readPieces("/workspace/large")) files.write("/workspace/large", piece.subarray(0, 3));
	},
	"a copy": ({ files }) => files.copyFile("/workspace/large", "/workspace/small"),
	"new directories": ({ files }) => files.makeDirectory("/workspace/x/y/z", { parents: true }),
	"a removed tree": ({ files }) => files.removeTree("/workspace/d"),
	"a removed file": ({ files }) => files.unlink("/workspace/large"),
	"a rename over a file": ({ files }) => files.rename("/workspace/large", "/workspace/small"),
	"a moved directory": ({ files }) => files.rename("/workspace/d", "/workspace/new"),
	"a symlink": ({ files }) => files.symlink("x", "/workspace/new"),
	"a mode": ({ files }) => files.chmod("/workspace/small", 0o600),
	"several changes as one": ({ files }) =>
		files.atomically(() => {
			files.write("/workspace/small", filled(3, 1));
			files.removeTree("/workspace/d");
		}),
	"a commit": ({ db, layer }) => void commitLayer(db, layer),
	"a dropped layer": ({ db, layer }) => dropLayer(db, layer),
	"a new root": ({ db }) => void openRoot(db, "tmp:new"),
	"a dropped root": ({ db }) => dropRoot(db, "workspace"),
};

/** All that can be seen of a tree. */
const seen = (files: FileSystem, root: string) =>
	JSON.stringify(
		[...files.walk(root)].map(({ path, stat: { kind, mode, size } }) => {
			if (kind === "file") return [path, mode, size, files.digest(path)];
			return kind === "symlink" ? [path, files.readLink(path)] : [path, mode];
		}),
	);

describe("a process that is killed at any statement", () => {
	it.each(Object.entries(changes))("leaves %s done or not begun", (name, change) => {
		const done = begin();
		change(done);
		// A reader's own writes are changes one after the other.
		const isManyChanges = name.startsWith("a reader");
		const isRootGone = name === "a dropped root";
		const after = isRootGone ? "" : seen(done.files, "/workspace");
		let statements = 0;
		for (let isKilled = true; isKilled; statements++) {
			const { sqlite, db, layer, files } = begin();
			const before = seen(files, "/workspace");
			db.left = statements;
			isKilled = isThrown(() => change({ db, files, layer }));
			const reopened = sqlite.reopened();
			const next = memoryWorkspace({}, reopened);
			expect(faultsOf(reopened)).toEqual([]);
			if (!isManyChanges) expect([before, after || "[]"]).toContain(seen(next.files, "/workspace"));
			expect([...reopened.exec("SELECT * FROM held")]).toEqual([]);
		}
		expect(statements).toBeGreaterThan(2);
	});

	it("leaves no temporary layer", () => {
		const { sqlite } = begin();
		createLayer(sqlite, { parent: 0, temporary: true });
		const reopened = sqlite.reopened();
		memoryWorkspace({}, reopened);
		expect([...reopened.exec("SELECT * FROM layers WHERE temporary = 1")]).toEqual([]);
		expect([...reopened.exec("SELECT * FROM layers")]).toHaveLength(2);
	});
});

function isThrown(run: () => void): boolean {
	try {
		run();
		return false;
	} catch (error) {
		if (error instanceof Error && error.message === "killed") return true;
		throw error;
	}
}
