import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { tar, zip } from "../support/archives";
import { call } from "../support/workers/api";
import { makeToken } from "../support/workers/tokens";

let count = 0;
const fresh = () => `/api/v1/workspaces/archives-${++count}`;
const upload = (base: string, body: Uint8Array | ReadableStream, type = "application/x-tar", query = "") =>
	call(`${base}/archive?path=in${query}`, { method: "POST", body, headers: { "content-type": type } });
const text = async (base: string, path: string) => (await call(`${base}/files?path=${path}`)).text;
const entries = [
	{ name: "src/run.sh", content: "#!/bin/sh\n", mode: 0o755 },
	{ name: "潮汐.txt", content: "高潮" },
	{ name: "large.txt", content: "tide ".repeat(300_000) },
];

describe("an archive over the API", () => {
	it.each([
		["a tar", tar(...entries), "application/x-tar"],
		["a tar.gz", gzipSync(tar(...entries)), "application/gzip"],
		["a tar of no said type", tar(...entries), "application/octet-stream"],
		["a zip", zip(entries), "application/zip"],
	])("is unpacked: %s", async (_, archive, type) => {
		const base = fresh();
		const { status, json, text: said } = await upload(base, archive, type);
		expect(status, said).toBe(200);
		const counts = { files: 3, directories: 0, links: 0, bytes: 1_500_016 };
		expect(json).toEqual({ path: "/workspace/in", ...counts, skipped: [], moreSkipped: 0 });
		expect(await text(base, "in/src/run.sh")).toBe("#!/bin/sh\n");
		expect(await text(base, "in/潮汐.txt")).toBe("高潮");
		expect((await text(base, "in/large.txt")).length).toBe(1_500_000);
	});

	it.each([
		["tar", (bytes: Uint8Array) => bytes],
		["tar.gz", (bytes: Uint8Array) => gunzipSync(bytes)],
	])("is downloaded as %s and can be uploaded again", async (format, unzip) => {
		const [base, other] = [fresh(), fresh()];
		await upload(base, tar(...entries, { name: "link", type: "2", target: "src/run.sh" }));
		const packed = await call(`${base}/archive?path=in&format=${format}`);
		expect(packed.status).toBe(200);
		expect(packed.headers.get("content-disposition")).toContain(`.${format}"`);
		expect((await upload(other, new Uint8Array(unzip(packed.bytes)))).json).toMatchObject({ files: 3, links: 1 });
		expect(await text(other, "in/link")).toBe("#!/bin/sh\n");
		// The second time too: no memory that the packer keeps has been given away.
		expect((await call(`${base}/archive?path=in`)).bytes.length).toBeGreaterThan(1_500_000);
	});

	it.each([
		["a link that leads out", tar({ name: "ok" }, { name: "l", type: "2", target: "../.." }), 400, "unsafe_link", "l"],
		["a hard link", tar({ name: "ok" }, { name: "h", type: "1", target: "ok" }), 400, "unsafe_type", "h"],
		["a name that leads up", zip([{ name: "ok" }, { name: "../x" }]), 400, "unsafe_name", "../x"],
		["an encrypted entry", zip([{ name: "ok" }, { name: "e", flags: 1 }]), 400, "encrypted_archive", "e"],
	])("is refused for %s, and nothing is changed", async (_, archive, status, reason, entry) => {
		const base = fresh();
		const answer = await upload(base, archive);
		expect([answer.status, answer.json]).toMatchObject([status, { error: { details: { reason, paths: [entry] } } }]);
		expect((await call(`${base}/files`)).json).toMatchObject({ items: [] });
	});

	it.each(["tar", "tar.gz"])("breaks off as %s where the job that it is made of ends", async (format) => {
		const base = fresh();
		const { id } = (await call(`${base}/jobs`, { method: "POST" })).json as { id: string };
		// More than is on its way before anybody reads.
		for (const name of ["a", "b"]) {
			await call(`${base}/files?path=${name}&job=${id}`, { method: "PUT", body: new Uint8Array(20_000_000) });
		}
		const packing = call(`${base}/archive?job=${id}&format=${format}`, {
			onBegun: () => call(`${base}/jobs/${id}/rollback`, { method: "POST" }),
		});
		// Not the answer itself: it would be shown whole.
		expect(await packing.then(({ bytes }) => `whole: ${bytes.length}`, String)).toContain("disconnected");
	});

	it("that unfolds beyond the quota is refused while it does", async () => {
		const base = fresh();
		await call("/api/v1/settings", { method: "PUT", body: { files: { maxWorkspaceBytes: 2_000_000 } } });
		const bomb = gzipSync(tar(...["a", "b", "c", "d"].map((name) => ({ name, content: "\0".repeat(900_000) }))));
		const answer = await upload(base, bomb, "application/gzip");
		await call("/api/v1/settings", { method: "PUT", body: {} });
		expect([answer.status, answer.json]).toMatchObject([413, { error: { details: { reason: "archive_too_large" } } }]);
		expect((await call(`${base}/files`)).json).toMatchObject({ items: [] });
	});

	it("brings control files only for whom is allowed them and asks for them", async () => {
		const base = fresh();
		const archive = tar({ name: ".env", content: "A=1" }, { name: "b", content: "x" });
		expect((await upload(base, archive)).json).toMatchObject({
			files: 1,
			skipped: [{ path: ".env", reason: "protected_path" }],
		});
		const { token } = await makeToken({ permissions: ["workspace:edit"] });
		const asked = { method: "POST", body: archive, headers: { "content-type": "application/x-tar" } };
		expect((await call(`${base}/archive?protected=allow`, { ...asked, token })).status).toBe(403);
		expect((await call(`${base}/archive?protected=allow`, asked)).json).toMatchObject({ files: 2, skipped: [] });
	});

	it("is refused as another type, and without a body", async () => {
		expect((await upload(fresh(), tar(), "application/x-rar")).status).toBe(415);
		expect((await call(`${fresh()}/archive`, { method: "POST" })).status).toBe(400);
	});
});
