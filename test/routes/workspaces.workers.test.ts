import { describe, expect, it } from "vitest";
import { call } from "../support/workers/api";
import { makeToken } from "../support/workers/tokens";

let count = 0;
/** The routes of a workspace that nobody has used yet. */
const fresh = () => `/api/v1/workspaces/w-${++count}`;
const put = (base: string, path: string, body: string | Uint8Array | ReadableStream, headers = {}) =>
	call(`${base}/files?path=${encodeURIComponent(path)}`, { method: "PUT", body, headers });
const get = (base: string, path: string, headers = {}) =>
	call(`${base}/files?path=${encodeURIComponent(path)}`, { headers });
const reasonOf = (json: unknown) => (json as { error: { details: { reason: string } } }).error.details.reason;

describe("a file over the API", () => {
	it("is written, read, listed, moved and deleted", async () => {
		const base = fresh();
		const made = await put(base, "a/b/note.txt", "high water");
		expect(made.status, made.text).toBe(201);
		expect(made.json).toEqual({ path: "/workspace/a/b/note.txt", size: 10, etag: expect.any(String) });
		const read = await get(base, "a/b/note.txt");
		expect(read.text).toBe("high water");
		expect(read.headers.get("etag")).toBe(made.headers.get("etag"));
		expect(Object.fromEntries(read.headers)).toMatchObject({
			"content-type": "text/plain; charset=utf-8",
			"content-length": "10",
			"accept-ranges": "bytes",
			"content-disposition": "attachment; filename=\"note.txt\"; filename*=UTF-8''note.txt",
			"x-content-type-options": "nosniff",
		});
		expect((await get(base, "a")).json).toEqual({
			items: [
				{
					...{ name: "b", path: "/workspace/a/b", kind: "directory", size: 0, target: null, mode: "755" },
					modifiedAt: expect.any(String),
				},
			],
			nextCursor: null,
		});
		const moved = await call(`${base}/files/move`, { body: { from: "a/b/note.txt", to: "c/note.txt" } });
		expect(moved.json).toMatchObject({ to: "/workspace/c/note.txt", kind: "file", replaced: false });
		expect((await put(base, "c/note.txt", "low water")).status).toBe(200);
		expect((await call(`${base}/files?path=c/note.txt`, { method: "DELETE" })).status).toBe(204);
		expect((await get(base, "c/note.txt")).status).toBe(404);
		expect((await call(`${base}/files?path=c`, { method: "DELETE" })).status).toBe(400);
		expect((await call(`${base}/files?path=c&recursive=true`, { method: "DELETE" })).status).toBe(204);
		expect((await call(`${base}/files?path=.&recursive=true`, { method: "DELETE" })).status).toBe(400);
	});

	it("is of any size up to the limit, and no byte more is kept", async () => {
		const base = fresh();
		const large = new Uint8Array(3_000_000).fill(7);
		expect((await put(base, "large.bin", large)).status).toBe(201);
		const read = await get(base, "large.bin");
		expect(read.bytes.length).toBe(3_000_000);
		expect(read.bytes.every((byte) => byte === 7)).toBe(true);
		await call("/api/v1/settings", { method: "PUT", body: { files: { maxFileBytes: 2_000_000 } } });
		const said = await put(base, "said.bin", large, { "content-length": "3000000" });
		const unsaid = await put(base, "unsaid.bin", new Response(large).body ?? "");
		await call("/api/v1/settings", { method: "PUT", body: {} });
		expect([said.status, unsaid.status]).toEqual([413, 413]);
		expect((await get(base, ".")).json).toMatchObject({ items: [{ name: "large.bin" }] });
	});

	it("of which the end never comes is not kept", async () => {
		const base = fresh();
		const body = new ReadableStream({
			pull(controller) {
				controller.enqueue(new Uint8Array(100_000));
				controller.error(new Error("gone"));
			},
		});
		const { status, json } = await put(base, "half.bin", body);
		expect([status, json]).toMatchObject([400, { error: { message: expect.stringContaining("broke off") } }]);
		expect((await get(base, ".")).json).toMatchObject({ items: [] });
	});

	it("that is empty is a file", async () => {
		const base = fresh();
		expect((await put(base, "empty", "")).status).toBe(201);
		const read = await get(base, "empty");
		expect([read.status, read.text, read.headers.get("content-length")]).toEqual([200, "", "0"]);
	});

	it.each([
		["bytes=0-3", 206, "high", "bytes 0-3/10"],
		["bytes=5-", 206, "water", "bytes 5-9/10"],
		["bytes=-3", 206, "ter", "bytes 7-9/10"],
		["bytes=8-100", 206, "er", "bytes 8-9/10"],
		["bytes=0-1,3-4", 200, "high water", null],
		["bytes=5-2", 200, "high water", null],
		["lines=1-2", 200, "high water", null],
	])("is read in part by %s", async (range, status, text, contentRange) => {
		const base = fresh();
		await put(base, "n", "high water");
		const read = await get(base, "n", { range });
		expect([read.status, read.text, read.headers.get("content-range")]).toEqual([status, text, contentRange]);
	});

	it("has no bytes behind its end", async () => {
		const base = fresh();
		await put(base, "n", "high water");
		const read = await get(base, "n", { range: "bytes=10-" });
		expect([read.status, read.headers.get("content-range")]).toEqual([416, "bytes */10"]);
	});

	it("is not sent again to whom has it, and whole to whom has an older one", async () => {
		const base = fresh();
		const etag = (await put(base, "n", "high water")).headers.get("etag") ?? "";
		expect((await get(base, "n", { "if-none-match": `"x", W/${etag}` })).status).toBe(304);
		expect((await get(base, "n", { "if-range": etag, range: "bytes=0-0" })).status).toBe(206);
		expect((await get(base, "n", { "if-range": '"x"', range: "bytes=0-0" })).text).toBe("high water");
	});

	it("is described to HEAD", async () => {
		const base = fresh();
		await put(base, "n", "high water");
		const head = await call(`${base}/files?path=n`, { method: "HEAD" });
		expect([head.status, head.text, head.headers.get("etag")?.length]).toEqual([200, "", expect.any(Number)]);
	});

	it("is only written over the one that the client knows", async () => {
		const base = fresh();
		const etag = (await put(base, "n", "1")).headers.get("etag") ?? "";
		expect((await put(base, "n", "2", { "if-none-match": "*" })).status).toBe(412);
		expect((await put(base, "n", "2", { "if-match": '"other"' })).status).toBe(412);
		expect((await put(base, "new", "2", { "if-match": "*" })).status).toBe(412);
		expect((await put(base, "n", "2", { "if-match": etag })).status).toBe(200);
		expect((await get(base, "n")).text).toBe("2");
	});

	it("is only deleted as the client knows it", async () => {
		const base = fresh();
		const etag = (await put(base, "d/n", "1")).headers.get("etag") ?? "";
		const remove = async (path: string, tag: string) => {
			const options = { method: "DELETE", headers: { "if-match": tag } };
			return (await call(`${base}/files?path=${path}&recursive=true`, options)).status;
		};
		expect(await remove("d/n", '"other"')).toBe(412);
		expect(await remove("d", etag)).toBe(412);
		expect(await remove("missing", "*")).toBe(404);
		expect((await get(base, "d/n")).text).toBe("1");
		expect(await remove("d/n", etag)).toBe(204);
		expect(await remove("d", "*")).toBe(204);
	});

	it("is only moved as the client knows it, and on request only to where nothing is", async () => {
		const base = fresh();
		const etag = (await put(base, "a", "1")).headers.get("etag") ?? "";
		await put(base, "b", "2");
		const move = async (to: string, headers: Record<string, string>) =>
			(await call(`${base}/files/move`, { body: { from: "a", to }, headers })).status;
		expect(await move("b", { "if-match": '"other"' })).toBe(412);
		expect(await move("b", { "if-match": etag, "if-none-match": "*" })).toBe(412);
		expect((await get(base, "b")).text).toBe("2");
		expect(await move("c", { "if-match": etag, "if-none-match": "*" })).toBe(200);
		expect((await get(base, "c")).text).toBe("1");
	});

	it.each([
		["page.html", "text/plain; charset=utf-8"],
		["picture.svg", "text/plain; charset=utf-8"],
		["script.js", "text/plain; charset=utf-8"],
		["data.json", "application/json"],
		["photo.PNG", "image/png"],
		["Makefile", "text/plain; charset=utf-8"],
		["constructor", "application/octet-stream"],
		["a.bin", "application/octet-stream"],
	])("%s is sent as %s", async (name, type) => {
		const base = fresh();
		await put(base, name, "<script>");
		const { headers } = await get(base, name);
		expect(headers.get("content-type")).toBe(type);
		expect(headers.get("content-disposition")).toMatch(/^attachment;/);
	});

	it("is listed a page at a time", async () => {
		const base = fresh();
		for (const name of ["c", "a", "b"]) await put(base, name, name);
		const first = await call(`${base}/files?limit=2`);
		expect(first.json).toMatchObject({ items: [{ name: "a" }, { name: "b" }], nextCursor: expect.any(String) });
		const { nextCursor } = first.json as { nextCursor: string };
		expect((await call(`${base}/files?limit=2&cursor=${nextCursor}`)).json).toMatchObject({
			items: [{ name: "c" }],
			nextCursor: null,
		});
	});

	it.each([
		["/etc/passwd", 403, "outside_root"],
		["../x", 403, "outside_root"],
		["a\u0000b", 400, "invalid_path"],
		["~/x", 400, "invalid_path"],
		["x".repeat(256), 400, "name_too_long"],
		["/skills/x", 403, "outside_root"],
		[".git/config", 403, "protected_path"],
		["a/.env", 403, "protected_path"],
	])("is not written to %j", async (path, status, reason) => {
		const base = fresh();
		const answer = await put(base, path, "x");
		expect(answer.status, answer.text).toBe(status);
		expect(reasonOf(answer.json)).toBe(reason);
		expect((await get(base, ".")).json).toMatchObject({ items: [] });
	});

	it("may be a control file for whom is allowed it and asks for it", async () => {
		const base = fresh();
		const { token } = await makeToken({ permissions: ["workspace:read", "workspace:edit"] });
		const url = `${base}/files?path=.env&protected=allow`;
		expect((await call(url, { method: "PUT", body: "A=1", token })).status).toBe(403);
		expect((await call(url, { method: "PUT", body: "A=1" })).status).toBe(201);
	});

	it("is seen with workspace:read and changed with workspace:edit only", async () => {
		const base = fresh();
		const { token: reader } = await makeToken({ permissions: ["workspace:read"] });
		const { token: user } = await makeToken({});
		expect((await call(`${base}/files`, { token: reader })).status).toBe(200);
		expect((await call(`${base}/files?path=a`, { method: "PUT", body: "x", token: reader })).status).toBe(403);
		expect((await call(`${base}/files`, { token: user })).status).toBe(403);
	});

	it("is the one that the agent's tools see", async () => {
		await call("/api/v1/agents", { body: { name: "clerk", tools: ["read_file"] } });
		await put("/api/v1/workspaces/clerk", "note.txt", "high water");
		const run = await call("/api/v1/tools/read_file/execute", {
			body: { agent: "clerk", arguments: { path: "note.txt" } },
		});
		expect(run.text).toContain("high water");
		expect((await call("/api/v1/workspaces")).json).toEqual({
			items: [
				{ name: "clerk", agents: ["clerk"] },
				{ name: "default", agents: [] },
			],
			nextCursor: null,
		});
	});
});

describe("a body of more than 1 MiB", () => {
	it("is still refused by every other route", async () => {
		const body = "x".repeat(1_100_000);
		expect((await call("/api/v1/skills/a", { method: "PUT", body })).status).toBe(413);
		expect((await call(`${fresh()}/files/move`, { body: { from: body, to: "x" } })).status).toBe(413);
		expect((await call(`${fresh()}/jobs`, { body })).status).toBe(413);
	});
});
