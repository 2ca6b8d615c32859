import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportArchive } from "../../../src/workspace/archive/export-archive";
import { unpackingWorld } from "../../support/node/unpack";

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), "packed-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (text: string) => new TextEncoder().encode(text);
const long = `${"directory-with-a-long-name/".repeat(8)}${"x".repeat(200)}潮`;

async function packed(world: ReturnType<typeof unpackingWorld>, asked: string): Promise<Uint8Array> {
	const reply = await exportArchive(world.workspace, world.contextOf(), asked);
	if (!reply.ok) throw new Error(reply.reason);
	return new Uint8Array(await new Response(reply.value).arrayBuffer());
}

async function planted() {
	const world = unpackingWorld();
	await world.onFiles((files) => {
		files.makeDirectory(`/workspace/p/${long.slice(0, long.lastIndexOf("/"))}`, { parents: true });
		files.makeDirectory("/workspace/p/empty");
		files.write(`/workspace/p/${long}`, bytes("long"));
		files.write("/workspace/p/run.sh", bytes("#!/bin/sh\n"), { mode: 0o755 });
		files.setTimes("/workspace/p/run.sh", { mtimeMs: 1_600_000_000_000 });
		files.write("/workspace/p/large.bin", new Uint8Array(1_500_001).fill(5));
		files.write("/workspace/p/old", bytes("x"));
		files.setTimes("/workspace/p/old", { mtimeMs: -5_000 });
		files.symlink("run.sh", "/workspace/p/link");
	});
	return world;
}

describe("a packed directory", () => {
	it("is taken apart by GNU tar to the same files", async () => {
		const world = await planted();
		const tar = await packed(world, "p");
		execFileSync("tar", ["-xf", "-", "-C", folder], { input: tar });
		const at = (name: string) => path.join(folder, name);
		expect(readFileSync(at(long), "utf8")).toBe("long");
		expect(readFileSync(at("large.bin")).equals(Buffer.alloc(1_500_001, 5))).toBe(true);
		expect(lstatSync(at("run.sh")).mode & 0o777).toBe(0o755);
		expect(lstatSync(at("run.sh")).mtimeMs).toBe(1_600_000_000_000);
		expect(readlinkSync(at("link"))).toBe("run.sh");
		expect(lstatSync(at("empty")).isDirectory()).toBe(true);
	});

	it("is unpacked here to what it was", async () => {
		const world = await planted();
		const before = await world.tree();
		const tar = await packed(world, "p");
		await world.onFiles((files) => files.removeTree("/workspace/p"));
		expect(await world.unpack(tar, "/workspace/p", 65_536)).toMatchObject({ ok: true, value: { files: 4, links: 1 } });
		const withoutTimes = (lines: string[]) => lines.map((line) => line.replace(/^(\S+ \w+ \d+) -?\d+ /, "$1 "));
		expect(withoutTimes(await world.tree())).toEqual(withoutTimes(before));
	});

	it("is one entry when it is a file", async () => {
		const world = await planted();
		const listed = execFileSync("tar", ["-tf", "-"], { input: await packed(world, "p/run.sh") });
		expect(String(listed)).toBe("run.sh\n");
	});

	it("breaks off where a file is gone when its turn comes", async () => {
		const world = await planted();
		const reply = await exportArchive(world.workspace, world.contextOf(), "p");
		await world.onFiles((files) => files.unlink("/workspace/p/run.sh"));
		if (!reply.ok) throw new Error(reply.reason);
		await expect(new Response(reply.value).arrayBuffer()).rejects.toThrow("run.sh");
	});

	it.each(["rolled back", "committed"])("breaks off where its job is %s meanwhile", async (end) => {
		const world = await planted();
		const { jobs } = world.workspace;
		const job = jobs.create({ id: "j", sessionId: null, ttlMs: 300_000, maxBytes: 1_000_000 });
		const context = world.contextOf({ target: { mode: "job", jobId: job.id } });
		await world.workspace.change(context, (files) => files.write("/workspace/p/z", bytes("staged")));
		const reply = await exportArchive(world.workspace, context, "p");
		if (end === "committed") jobs.commit(job.id, 1_000_000_000);
		else jobs.rollBack(job.id);
		if (!reply.ok) throw new Error(reply.reason);
		await expect(new Response(reply.value).arrayBuffer()).rejects.toThrow("is gone");
	});

	it("stops when nobody reads on", async () => {
		const world = await planted();
		const reply = await exportArchive(world.workspace, world.contextOf(), "p");
		if (!reply.ok) throw new Error(reply.reason);
		const reader = reply.value.getReader();
		await reader.read();
		await reader.cancel();
	});
});

describe("packing is refused for", () => {
	it.each([
		["/", "invalid_path"],
		["/skills", "invalid_path"],
		["/elsewhere", "outside_root"],
		["missing", "not_found"],
	])("%s as %s", async (asked, reason) => {
		await expect(packed(unpackingWorld(), asked)).rejects.toThrow(reason);
	});
});
