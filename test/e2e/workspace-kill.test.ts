import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiOf, type Call } from "../support/node/api-client";
import { faultsOf } from "../support/node/file-invariants";
import { bytesOf, differingPaths, type FileMap, filesIn, tarOf } from "../support/node/file-map";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";
import { SqliteDatabase } from "../support/node/sqlite-database";
import { clientOf, type WorkspaceClient } from "../support/node/workspace-client";

const smallFiles = 400;
const largeFiles = 6;
/** Parts of the time that a change took without a kill. */
const moments = [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.1];
const uploadMoments = [0.15, 0.5, 0.85];

interface Job {
	readonly id: string;
	readonly state: string;
	readonly bytes: number;
	readonly changes: readonly unknown[];
	readonly moreChanges: number;
}

let home: Home;
let oryx: OryxProcess;
let call: Call;
let workspace: WorkspaceClient;
/** What is in the workspace. */
let files: FileMap;
/** Chunks of uploads that a kill has left without a file, over all tests. */
let leftChunks = 0;

beforeAll(async () => {
	home = await makeHome();
	oryx = await startOryx(home);
	call = apiOf(home);
	workspace = clientOf(home, "yard");
	files = new Map([
		...Array.from(
			{ length: smallFiles },
			(_, at) => [`d${at % 20}/f${at}`, bytesOf(`small ${at}`, 3_000 + at)] as const,
		),
		...Array.from({ length: largeFiles }, (_, at) => [`large/${at}`, bytesOf(`large ${at}`, 3_000_000)] as const),
	]);
	await unpack(files);
}, 120_000);

afterAll(async () => {
	await oryx?.kill();
	home?.discard();
});

describe("a workspace whose whole process group is killed and started again", { timeout: 120_000 }, () => {
	let commitMs = 0;

	it("commits a job of several hundred changes", async () => {
		const { id, after } = await stage("undisturbed");
		const startedAt = performance.now();
		await call("POST", `/workspaces/yard/jobs/${id}/commit`);
		commitMs = performance.now() - startedAt;
		expect(await differences(after)).toEqual([]);
		files = after;
	});

	it.each(moments)("has all of a job's changes or none, killed in its commit at %d of it", async (moment) => {
		const { id, after } = await stage(`round ${moment}`);
		const staged = await jobOf(id);
		await killIn(() => workspace.ask("POST", `jobs/${id}/commit`), moment * commitMs);
		const job = await jobOf(id);
		if (job.state === "open") {
			expect({ ...job, usedAt: 0, expiresAt: 0 }).toEqual({ ...staged, usedAt: 0, expiresAt: 0 });
			expect(await differences(files)).toEqual([]);
			await call("POST", `/workspaces/yard/jobs/${id}/commit`);
		}
		expect(await jobOf(id)).toMatchObject({ state: "committed", bytes: 0, changes: [] });
		expect(await differences(after)).toEqual([]);
		files = after;
	});

	it.each(uploadMoments)("has the old file or the new, killed in its upload at %d of it", async (moment) => {
		const length = 40_000_000;
		const [old, young] = [bytesOf(`old ${moment}`, length), bytesOf(`young ${moment}`, length)];
		const put = (bytes: Uint8Array) => workspace.send("PUT", "files", { path: "film" }, inPieces(bytes));
		const startedAt = performance.now();
		expect((await put(old)).ok).toBe(true);
		const uploadMs = performance.now() - startedAt;
		await killIn(
			() => put(young),
			moment * uploadMs,
			() => (leftChunks += heldChunks()),
		);
		const film = new Uint8Array(await (await workspace.ask("GET", "files", { path: "film" })).arrayBuffer());
		expect([old, young].some((bytes) => Buffer.compare(bytes, film) === 0)).toBe(true);
		expect((await workspace.ask("DELETE", "files", { path: "film" })).status).toBe(204);
		expect(await differences(files)).toEqual([]);
	});

	it.each(uploadMoments)("has all files of an archive or none, killed in its upload at %d of it", async (moment) => {
		const archive = (round: string): FileMap =>
			new Map([
				...Array.from(files.keys(), (path) => [path, bytesOf(`${round} ${path}`, 20_000)] as const),
				...Array.from({ length: 100 }, (_, at) => [`${round}/${at}`, bytesOf(`${round} ${at}`, 50_000)] as const),
			]);
		const startedAt = performance.now();
		await unpack(archive(`first ${moment}`));
		const uploadMs = performance.now() - startedAt;
		const before = new Map([...files, ...archive(`first ${moment}`)]);
		expect(await differences(before)).toEqual([]);
		const second = archive(`second ${moment}`);
		const tar = await tarOf(second);
		const upload = () => workspace.send("POST", "archive", {}, inPieces(tar));
		await killIn(upload, moment * uploadMs);
		const after = new Map([...before, ...second]);
		const found = await tree();
		expect([differingPaths(found, before), differingPaths(found, after)]).toContainEqual([]);
		files = found;
	});

	it("ends a job that nobody uses, though nobody asks for it after the kill", async () => {
		await call("PUT", "/settings", { writeSandbox: { ttlSeconds: 5 } });
		const { id } = await call<Job>("POST", "/workspaces/yard/jobs");
		await workspace.send("PUT", "files", { path: "forgotten", job: id }, [bytesOf("forgotten", 1_000_000)]);
		expect(await jobOf(id)).toMatchObject({ state: "open", bytes: 1_000_000 });
		await killIn(async () => {}, 0);
		await expect
			.poll(() => jobOf(id), { timeout: 60_000, interval: 500 })
			.toMatchObject({ state: "expired", bytes: 0 });
	});

	it("was killed inside uploads, or the tests above prove nothing", () => {
		expect(leftChunks).toBeGreaterThan(0);
	});

	it("keeps no byte that no file has, and counts those that they have", async () => {
		expect(await differences(files)).toEqual([]);
		await oryx.kill();
		const db = new SqliteDatabase(new DatabaseSync(databaseFile()));
		expect(faultsOf(db)).toEqual([]);
		expect([...db.exec("SELECT * FROM held")]).toEqual([]);
		const size = [...files.values()].reduce((sum, { length }) => sum + length, 0);
		expect([...db.exec("SELECT id, bytes FROM layers")]).toEqual([{ id: 0, bytes: size }]);
		db.close();
	});
});

/** A job with new, changed, removed and renamed files, small and large, and what the workspace is to be when it is committed. */
async function stage(round: string): Promise<{ id: string; after: FileMap }> {
	const { id } = await call<Job>("POST", "/workspaces/yard/jobs");
	const paths = [...files.keys()].filter((path) => !path.startsWith("large/"));
	const every = (step: number, from: number) => paths.filter((_, at) => at % step === from);
	const written: FileMap = new Map([
		...every(2, 0).map((path) => [path, bytesOf(`${round} ${path}`, 5_000)] as const),
		...Array.from(
			{ length: 50 },
			(_, at) => [`d${at % 20}/${round}-${at}`, bytesOf(`${round} new ${at}`, 4_000)] as const,
		),
		...[0, 1, 2].map((at) => [`large/${at}`, bytesOf(`${round} large ${at}`, 2_000_000)] as const),
	]);
	await unpack(written, { job: id });
	const after: FileMap = new Map([...files, ...written]);
	const [removed, renamed] = [every(8, 1), every(8, 3)];
	await Promise.all(
		removed.map(async (path) => {
			expect((await workspace.ask("DELETE", "files", { path, job: id })).status).toBe(204);
			after.delete(path);
		}),
	);
	await Promise.all(
		renamed.map(async (from, at) => {
			const to = `d${(at + 7) % 20}/moved-${round}-${at}`;
			await call("POST", `/workspaces/yard/files/move?job=${id}`, { from, to });
			after.set(to, after.get(from) ?? new Uint8Array());
			after.delete(from);
		}),
	);
	return { id, after };
}

async function unpack(written: FileMap, query: Record<string, string> = {}): Promise<void> {
	const response = await workspace.send("POST", "archive", query, inPieces(await tarOf(written)));
	expect({ status: response.status, body: await response.json() }).toMatchObject({
		status: 200,
		body: { files: written.size },
	});
}

function* inPieces(bytes: Uint8Array): Generator<Uint8Array, void, void> {
	for (let at = 0; at < bytes.length; at += 65_536) yield bytes.slice(at, at + 65_536);
}

/** Begins something, kills everything after a while, whatever came of it, looks at what is left, and starts it again. */
async function killIn(begin: () => Promise<unknown>, afterMs: number, look = () => {}): Promise<void> {
	const begun = begin().catch(() => {});
	await sleep(afterMs);
	await oryx.kill();
	await begun;
	look();
	oryx = await startOryx(home);
}

const jobOf = (id: string) => call<Job>("GET", `/workspaces/yard/jobs/${id}`);

const tree = async () => filesIn(new Uint8Array(await (await workspace.ask("GET", "archive")).arrayBuffer()));

const differences = async (expected: FileMap) => differingPaths(await tree(), expected);

/** How many chunks wait for a file; looked up in a copy, so that the next process finds what the last one left. */
function heldChunks(): number {
	const copy = mkdtempSync(path.join(tmpdir(), "oryx-killed-"));
	try {
		const file = databaseFile();
		for (const part of globSync(`${file}*`)) cpSync(part, path.join(copy, path.basename(part)));
		const db = new DatabaseSync(path.join(copy, path.basename(file)));
		const rows = db.prepare("SELECT hash FROM held").all();
		db.close();
		return rows.length;
	} finally {
		rmSync(copy, { recursive: true });
	}
}

/** Where the one workspace of this server is kept. */
function databaseFile(): string {
	const pattern = `${home.environment.ORYX_STATE_DIR}/v3/do/*-WorkspaceObject/*.sqlite`;
	const [file, ...others] = globSync(pattern).filter((path) => !path.endsWith("/metadata.sqlite"));
	if (file === undefined || others.length > 0) throw new Error("There is not one database of a workspace.");
	return file;
}
