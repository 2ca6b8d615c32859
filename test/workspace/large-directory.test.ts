import { describe, expect, it } from "vitest";
import { entriesOf } from "../../src/durable/workspace-facts";
import type { Database, SqlValue } from "../../src/workspace/database";
import { createLayer } from "../../src/workspace/layers";
import { openFileSystem } from "../../src/workspace/open-file-system";
import { bytes, memoryWorkspace, rootIn } from "../support/node/workspace";

const nameAt = (index: number) => String(index).padStart(5, "0");
const namesUpTo = (count: number) => Array.from({ length: count }, (_, index) => nameAt(index));

/** A directory of so many files, and how many rows were read since. */
function directoryOf(count: number) {
	const workspace = memoryWorkspace();
	const { db, options } = workspace;
	db.transaction(() => {
		for (const name of namesUpTo(count)) workspace.files.write(`/workspace/${name}`, bytes(name));
	});
	const read = { rows: 0 };
	const counting: Database = {
		exec<Row extends Record<string, SqlValue>>(query: string, ...bindings: (SqlValue | Uint8Array)[]) {
			const rows = db.exec<Row>(query, ...bindings);
			read.rows += rows.toArray().length;
			return rows;
		},
		transaction: (run) => db.transaction(run),
	};
	return { ...workspace, read, files: openFileSystem(counting, options) };
}

describe("a large directory", () => {
	it("is read only as far as a walk is followed", () => {
		const { files, read } = directoryOf(5_000);
		files.walk("/workspace").next();
		expect(read.rows).toBeLessThan(600);
	});

	it("is answered page by page, and only the page is read", () => {
		const { files, read } = directoryOf(5_000);
		const page = entriesOf(files, "/workspace", { after: "04321", limit: 3 });
		expect(page.map(({ name }) => name)).toEqual(["04322", "04323", "04324"]);
		expect(read.rows).toBeLessThan(600);
	});

	it("has an empty page behind its end", () => {
		const { files } = directoryOf(3);
		expect(entriesOf(files, "/workspace", { after: nameAt(2), limit: 3 })).toEqual([]);
	});

	it.each([0, 499, 500, 501, 1_000])("of %i files is walked whole", (count) => {
		const { files } = directoryOf(count);
		expect(Array.from(files.walk("/workspace"), ({ path }) => path.slice(11))).toEqual(namesUpTo(count));
	});

	it("shows each name once where a layer and what it lies on have both made it", () => {
		const { db, files, inode, options } = memoryWorkspace();
		const layer = createLayer(db, { parent: 0 });
		const roots = { ...options.roots, workspace: rootIn(inode, layer) };
		const above = openFileSystem(db, { ...options, roots });
		db.transaction(() => {
			for (const name of namesUpTo(1_200)) {
				above.write(`/workspace/${name}`, bytes("above"));
				files.write(`/workspace/${name}`, bytes("below, and longer"));
			}
		});
		expect(above.readDirectory("/workspace").map(({ name }) => name)).toEqual(namesUpTo(1_200));
		const walked = [...above.walk("/workspace")];
		expect(walked.map(({ path }) => path.slice(11))).toEqual(namesUpTo(1_200));
		expect(new Set(walked.map(({ stat }) => stat.size))).toEqual(new Set([5]));
	});

	it("misses in a layer what was removed there, page by page", () => {
		const { db, files, inode, options } = memoryWorkspace();
		db.transaction(() => {
			for (const name of namesUpTo(1_200)) files.write(`/workspace/${name}`, bytes(""));
		});
		const roots = { ...options.roots, workspace: rootIn(inode, createLayer(db, { parent: 0 })) };
		const above = openFileSystem(db, { ...options, roots });
		for (const name of namesUpTo(700)) above.unlink(`/workspace/${name}`);
		expect(Array.from(above.walk("/workspace"), ({ path }) => path.slice(11))).toEqual(namesUpTo(1_200).slice(700));
		expect(Array.from(files.walk("/workspace"))).toHaveLength(1_200);
	});
});
