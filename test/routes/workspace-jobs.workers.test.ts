import { describe, expect, it } from "vitest";
import * as z from "zod";
import { jobWithChanges } from "../../src/shared/workspace";
import { call } from "../support/workers/api";
import { makeToken } from "../support/workers/tokens";

let count = 0;
const fresh = () => `/api/v1/workspaces/jobs-${++count}`;
const put = (base: string, path: string, body: string, job?: string) =>
	call(`${base}/files?path=${path}${job ? `&job=${job}` : ""}`, { method: "PUT", body });
const read = async (base: string, path: string, job?: string) =>
	(await call(`${base}/files?path=${path}${job ? `&job=${job}` : ""}`)).text;
const begin = async (base: string) =>
	z.object({ id: z.string() }).parse((await call(`${base}/jobs`, { method: "POST" })).json).id;
const end = (base: string, id: string, how: "commit" | "rollback") =>
	call(`${base}/jobs/${id}/${how}`, { method: "POST" });

describe("a job", () => {
	it("keeps changes to itself until it is committed", async () => {
		const base = fresh();
		await put(base, "n", "old\n");
		const id = await begin(base);
		await put(base, "n", "new\n", id);
		await put(base, "dir/added", "1\n2\n", id);
		expect([await read(base, "n"), await read(base, "n", id)]).toEqual(["old\n", "new\n"]);
		const job = jobWithChanges.parse((await call(`${base}/jobs/${id}`)).json);
		expect(job).toMatchObject({ state: "open", sessionId: null, moreChanges: 0 });
		expect(job.changes).toEqual([
			{ path: "/workspace/dir", change: "added", kind: "directory", sizeBefore: null, sizeAfter: 0 },
			{ path: "/workspace/dir/added", change: "added", kind: "file", sizeBefore: null, sizeAfter: 4 },
			{ path: "/workspace/n", change: "modified", kind: "file", sizeBefore: 4, sizeAfter: 4 },
		]);
		const { status, json } = await end(base, id, "commit");
		expect([status, json]).toMatchObject([200, { id, state: "committed", bytes: 0, expiresAt: null }]);
		expect(await read(base, "n")).toBe("new\n");
		expect((await put(base, "n", "late", id)).status).toBe(409);
		expect((await call(`${base}/jobs`)).json).toMatchObject({ items: [{ id, state: "committed" }], nextCursor: null });
	});

	it("shows its changes as a diff", async () => {
		const base = fresh();
		await put(base, "n", "a\nb\nc\n");
		await put(base, "gone", "x\n");
		const id = await begin(base);
		await put(base, "n", "a\nB\nc\n", id);
		await put(base, "bytes", "\u0000", id);
		await call(`${base}/files?path=gone&job=${id}`, { method: "DELETE" });
		const one = await call(`${base}/jobs/${id}/diff?path=n`);
		expect(one.headers.get("content-type")).toBe("text/x-diff; charset=utf-8");
		expect(one.text).toBe("--- a/workspace/n\n+++ b/workspace/n\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
		const all = (await call(`${base}/jobs/${id}/diff`)).text;
		expect(all).toContain("--- a/workspace/gone\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n");
		expect(all).toMatch(/^# \/workspace\/bytes: nothing became 1 byte, [0-9a-f]{12}$/m);
		expect(all).toContain(one.text);
		expect((await call(`${base}/jobs/${id}/diff?path=nowhere`)).status).toBe(404);
		expect((await call(`${base}/jobs/${id}/diff?path=/etc/passwd`)).status).toBe(403);
	});

	it("is not committed where the lists have been narrowed meanwhile", async () => {
		const base = fresh();
		const id = await begin(base);
		await put(base, "inside/a", "x", id);
		await put(base, "outside", "x", id);
		const setRoot = (root: string) => call("/api/v1/settings", { method: "PUT", body: { files: { root } } });
		expect((await setRoot("/workspace/inside")).status).toBe(200);
		const refused = await end(base, id, "commit");
		expect((await setRoot("/workspace")).status).toBe(200);
		expect([refused.status, refused.json]).toMatchObject([403, { error: { details: { reason: "outside_root" } } }]);
		expect(await read(base, "inside/a")).not.toBe("x");
		expect((await end(base, id, "commit")).status).toBe(200);
	});

	it("is not committed over what changed underneath, and both stay as they are", async () => {
		const base = fresh();
		await put(base, "n", "0");
		const [first, second] = [await begin(base), await begin(base)];
		await put(base, "n", "1", first);
		await put(base, "n", "2", second);
		await put(base, "other", "2", second);
		expect((await end(base, first, "commit")).status).toBe(200);
		const refused = await end(base, second, "commit");
		expect([refused.status, refused.json]).toMatchObject([
			409,
			{ error: { details: { reason: "commit_conflict", paths: ["/workspace/n"] } } },
		]);
		expect([await read(base, "n"), await read(base, "n", second)]).toEqual(["1", "2"]);
		expect((await call(`${base}/files?path=other`)).status).toBe(404);
		expect((await end(base, second, "rollback")).json).toMatchObject({ state: "rolled_back" });
		expect((await end(base, second, "rollback")).status).toBe(200);
		expect((await end(base, second, "commit")).status).toBe(409);
	});

	it("refuses the write that exceeds its cap, and is kept", async () => {
		const base = fresh();
		await call("/api/v1/settings", { method: "PUT", body: { writeSandbox: { maxBytesPerJob: 1_000 } } });
		const id = await begin(base);
		await call("/api/v1/settings", { method: "PUT", body: {} });
		expect((await put(base, "a", "x".repeat(600), id)).status).toBe(201);
		const refused = await put(base, "b", "x".repeat(600), id);
		expect([refused.status, refused.json]).toMatchObject([413, { error: { details: { reason: "quota_exceeded" } } }]);
		expect((await call(`${base}/jobs/${id}`)).json).toMatchObject({ state: "open", bytes: 600, maxBytes: 1_000 });
	});

	it("is listed a page at a time, the newest first", async () => {
		const base = fresh();
		const ids = [await begin(base), await begin(base), await begin(base)].reverse();
		const first = z
			.object({ items: z.array(z.object({ id: z.string() })), nextCursor: z.string() })
			.parse((await call(`${base}/jobs?limit=2`)).json);
		const rest = await call(`${base}/jobs?limit=2&cursor=${first.nextCursor}`);
		expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
		expect(rest.json).toMatchObject({ items: [{ id: ids[2] }], nextCursor: null });
	});

	it("that is not there is not found", async () => {
		const base = fresh();
		for (const answer of [
			await call(`${base}/jobs/none`),
			await call(`${base}/jobs/none/diff`),
			await end(base, "none", "commit"),
			await end(base, "none", "rollback"),
			await put(base, "n", "x", "none"),
		]) {
			expect([answer.status, answer.json]).toMatchObject([404, { error: { details: { reason: "job_missing" } } }]);
		}
	});

	it("is seen with workspace:read and ended with workspace:edit only", async () => {
		const base = fresh();
		const id = await begin(base);
		const { token } = await makeToken({ permissions: ["workspace:read"] });
		expect((await call(`${base}/jobs/${id}`, { token })).status).toBe(200);
		for (const path of ["", `/${id}/commit`, `/${id}/rollback`]) {
			expect((await call(`${base}/jobs${path}`, { method: "POST", token })).status).toBe(403);
		}
	});
});
