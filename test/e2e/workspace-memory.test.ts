import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { apiOf, type Call } from "../support/node/api-client";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";
import { type ResidentMemory, watchMemory, workerProcesses } from "../support/node/resident-memory";
import { clientOf, type WorkspaceClient } from "../support/node/workspace-client";

const lineBytes = 100;
/** 90 MB. */
const lines = 900_000;
const needleLine = 876_543;
/** Of the whole process over what it had when it had done all of this with a small file. */
const maxGrowthBytes = 100_000_000;

let home: Home;
let oryx: OryxProcess;
let call: Call;
let workspace: WorkspaceClient;
let memory: ResidentMemory;

const isMeasurable = process.platform === "linux";

beforeAll(async () => {
	home = await makeHome();
	oryx = await startOryx(home);
	call = apiOf(home);
	workspace = clientOf(home, "default");
	await call("POST", "/sandbox/whitelist/SHELL", { value: "grep" });
	await useAll("small.log", 10_000);
	if (isMeasurable) memory = watchMemory(workerProcesses(oryx.survivors()));
}, 120_000);

afterAll(async () => {
	await oryx?.kill();
	home?.discard();
});

describe.runIf(isMeasurable)("a file of 90 MB", { timeout: 180_000 }, () => {
	// The peak of everything up to here.
	afterEach(() => expect(memory.peakGrowthBytes()).toBeLessThan(maxGrowthBytes));

	it("is written, and read whole", async () => {
		expect(await put("large.log", lines)).toBe(201);
		expect(await digestOf(await workspace.ask("GET", "files", { path: "large.log" }))).toBe(digestOfLog(lines));
	});

	it("is read in ranges", async () => {
		const size = lines * lineBytes;
		for (const [from, to] of [
			[0, 99],
			[524_200, 524_399],
			[45_000_000, 85_000_000],
			[size - 100, size - 1],
		] as const) {
			const headers = { Range: `bytes=${from}-${to}` };
			const response = await workspace.ask("GET", "files", { path: "large.log" }, headers);
			expect({ status: response.status, digest: await digestOf(response) }).toEqual({
				status: 206,
				digest: digestOfLog(lines, from, to + 1),
			});
		}
	});

	it("is read by the tool, by line and by byte", async () => {
		const byLine = await run("read_file", { path: "large.log", offset: needleLine, limit: 1 });
		expect(byLine).toContain(lineOf(needleLine).toString().trim());
		const byByte = await run("read_file", { path: "large.log", byte_offset: (needleLine - 1) * lineBytes, limit: 1 });
		expect(byByte).toContain(lineOf(needleLine).toString().trim());
	});

	it("is searched by the tool, for a word and for a pattern without one", async () => {
		expect(await run("grep", { path: "large.log", pattern: "High water" })).toContain(`:${needleLine}:`);
		expect(await run("grep", { path: "large.log", pattern: "[A-Z][a-z]+ [w]ater" })).toContain(`:${needleLine}:`);
		expect(await run("grep", { path: "large.log", pattern: "Low water" })).toContain("No line matches");
	});

	it("is too large for a command of the shell", async () => {
		const told = await run("shell", { command: "grep -c water large.log" });
		expect(told).toContain("grep: large.log: File too large");
	});

	it("goes into a job twice and no third time, and is committed", async () => {
		const job = await beginJob();
		expect(await put("one.log", lines, { job })).toBe(201);
		expect(await put("two.log", lines - 1, { job })).toBe(201);
		expect(await put("three.log", lines - 2, { job })).toBe(413);
		expect(await digestOf(await workspace.ask("GET", "files", { path: "two.log", job }))).toBe(digestOfLog(lines - 1));
		expect((await workspace.ask("GET", "files", { path: "two.log" })).status).toBe(404);
		expect(await stateOf(job)).toEqual({ state: "open", bytes: (2 * lines - 1) * lineBytes });
		expect((await workspace.ask("POST", `jobs/${job}/commit`)).status).toBe(200);
		expect(await digestOf(await workspace.ask("GET", "files", { path: "one.log" }))).toBe(digestOfLog(lines));
	});

	it("is thrown away with a job that nobody has used for its time", async () => {
		await call("PUT", "/settings", { writeSandbox: { ttlSeconds: 20 } });
		const job = await beginJob();
		expect(await put("forgotten.log", lines - 3, { job })).toBe(201);
		await expect.poll(() => stateOf(job), { timeout: 60_000, interval: 500 }).toEqual({ state: "expired", bytes: 0 });
	});

	it("takes no more when all is done again", async () => {
		await call("PUT", "/settings", {});
		await useAll("again.log", lines - 4);
	});
});

/** Every way in and out, so that what is in memory afterwards is there for any file. */
async function useAll(path: string, count: number): Promise<void> {
	expect(await put(path, count)).toBe(201);
	await digestOf(await workspace.ask("GET", "files", { path }));
	await digestOf(await workspace.ask("GET", "files", { path }, { Range: "bytes=10-20" }));
	await run("read_file", { path, offset: count - 1 });
	await run("grep", { path, pattern: "High water" });
	await run("grep", { path, pattern: "[A-Z][a-z]+ [w]ater" });
	await run("shell", { command: `grep -c water ${path}` });
	const job = await beginJob();
	await put(`job-${path}`, count, { job });
	await digestOf(await workspace.ask("GET", "files", { path: `job-${path}`, job }));
	await workspace.ask("POST", `jobs/${job}/commit`);
}

const lineOf = (number: number): Buffer =>
	Buffer.from(
		`${number} ${number === needleLine ? "High water" : "calm sea"} `.padEnd(lineBytes - 1, ".").concat("\n"),
	);

/** A log of numbered lines of one length, a piece for each thousand. */
function* log(count: number): Generator<Uint8Array, void, void> {
	for (let first = 1; first <= count; first += 1_000) {
		const numbers = Array.from({ length: Math.min(1_000, count - first + 1) }, (_, index) => first + index);
		yield Buffer.concat(numbers.map(lineOf));
	}
}

function digestOfLog(count: number, from = 0, to = count * lineBytes): string {
	const hash = createHash("sha256");
	let at = 0;
	for (const piece of log(count)) {
		hash.update(piece.subarray(Math.max(0, from - at), Math.max(0, to - at)));
		at += piece.length;
	}
	return hash.digest("hex");
}

async function digestOf({ body }: Response): Promise<string> {
	const hash = createHash("sha256");
	for await (const piece of body ?? []) hash.update(piece);
	return hash.digest("hex");
}

async function put(path: string, count: number, query: Record<string, string> = {}): Promise<number> {
	const response = await workspace.send("PUT", "files", { path, ...query }, log(count));
	await response.text();
	return response.status;
}

/** What the model is told by a tool. */
async function run(tool: string, args: object): Promise<string> {
	const result = await call<{ content?: string; errorMessage?: string }>("POST", `/tools/${tool}/execute`, {
		arguments: args,
	});
	return result.content ?? result.errorMessage ?? "";
}

const beginJob = async () => (await call<{ id: string }>("POST", "/workspaces/default/jobs")).id;

async function stateOf(job: string) {
	const { state, bytes } = await call<{ state: string; bytes: number }>("GET", `/workspaces/default/jobs/${job}`);
	return { state, bytes };
}
