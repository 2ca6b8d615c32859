import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { uuid7 } from "../../src/lib/uuid7";
import { openFileSystem, openRoot } from "../../src/workspace/open-file-system";
import { fileOperations } from "../support/file-operation-arbitrary";
import { type FileOperation, type Outcome, runOperation, type Seen, treeOf } from "../support/file-operations";

const base = "/workspace/1/2/3/4/5";

/** The files of an object as it lives now. */
function filesOf({ storage }: DurableObjectState) {
	const db = {
		exec: (query: string, ...bindings: unknown[]) => storage.sql.exec(query, ...bindings),
		transaction: <Result>(run: () => Result) => storage.transactionSync(run),
	} as Parameters<typeof openFileSystem>[0];
	const root = (name: string) => ({ inode: openRoot(db, name), layer: () => 0, writable: () => 0 });
	return openFileSystem(db, {
		roots: { workspace: root("workspace"), tmp: root("tmp:test") },
		documents: { look: () => undefined },
		maxFileBytes: 100_000_000,
		maxBytes: 1_000_000_000,
		now: () => Date.now(),
	});
}

it("does what Node's file system does, however often the object is evicted in between", {
	timeout: 120_000,
}, async () => {
	const sequence = fc.array(fileOperations(8), { minLength: 1, maxLength: 4 });
	const check = async (stints: FileOperation[][]) => {
		const stub = env.WORKSPACE.getByName(uuid7());
		await runInDurableObject(stub, (_, state) => filesOf(state).makeDirectory(base, { parents: true }));
		const outcomes: Outcome[] = [];
		for (const stint of stints) {
			await evictDurableObject(stub);
			const run = (_: unknown, state: DurableObjectState) =>
				stint.map((operation) => runOperation(filesOf(state), base, operation));
			outcomes.push(...(await runInDurableObject(stub, run)));
		}
		await evictDurableObject(stub);
		const tree: Seen[] = await runInDurableObject(stub, (_, state) => treeOf(filesOf(state), base));
		const real = await fetch(inject("realFiles"), { method: "POST", body: JSON.stringify(stints.flat()) });
		expect(JSON.parse(JSON.stringify({ outcomes, tree }))).toEqual(await real.json());
	};
	await fc.assert(fc.asyncProperty(sequence, check), { numRuns: 200 });
});
