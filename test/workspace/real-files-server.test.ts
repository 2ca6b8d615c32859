import { afterAll, beforeAll, expect, it } from "vitest";
import { type RealOutcome, startRealFilesServer } from "../support/node/real-files-server";

let server: Awaited<ReturnType<typeof startRealFilesServer>>;
beforeAll(async () => {
	server = await startRealFilesServer();
});
afterAll(() => server.close());

it("answers what a sequence does on the disk", async () => {
	const operations = [
		{ op: "makeDirectory", path: "/a", parents: false, mode: 0o755 },
		{ op: "append", path: "/a/b", bytes: { seed: 1, length: 3 } },
		{ op: "unlink", path: "/a" },
		{ op: "symlink", path: "/c", target: "/a/b" },
		{ op: "resolve", path: "/c" },
	];
	const response = await fetch(server.url, { method: "POST", body: JSON.stringify(operations) });
	const { outcomes, tree } = (await response.json()) as RealOutcome;
	expect(outcomes).toEqual([{ value: null }, { value: 3 }, { code: "EISDIR" }, { value: null }, { value: "/a/b" }]);
	expect(tree.map(({ path, kind, size, target }) => [path, kind, size ?? target])).toEqual([
		["/a", "directory", undefined],
		["/a/b", "file", 3],
		["/c", "symlink", "/a/b"],
	]);
});
