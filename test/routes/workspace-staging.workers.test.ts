import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { uuid7 } from "../../src/lib/uuid7";
import { call } from "../support/workers/api";
import { makeAgent, session } from "../support/workers/session";

const write = (content: string) => `/write_file ${JSON.stringify({ path: "note.txt", content })}`;
const put = (agent: string, content: string, query = "") =>
	call(`/api/v1/workspaces/${agent}/files?path=note.txt${query}`, { method: "PUT", body: content });
const read = async (agent: string, query = "") =>
	(await call(`/api/v1/workspaces/${agent}/files?path=note.txt${query}`)).text;
const begin = async (workspace: string) =>
	z.object({ id: z.string() }).parse((await call(`/api/v1/workspaces/${workspace}/jobs`, { method: "POST" })).json).id;
const jobOf = async (workspace: string, id: string) => (await call(`/api/v1/workspaces/${workspace}/jobs/${id}`)).json;
const end = (workspace: string, id: string, how: "commit" | "rollback") =>
	call(`/api/v1/workspaces/${workspace}/jobs/${id}/${how}`, { method: "POST" });

describe("an agent whose changes are staged", () => {
	const staged = { settings: { write_mode: "staged" } };

	it("changes nothing that others see before its job is committed", async () => {
		const agent = await makeAgent(staged);
		await put(agent, "low water");
		const talk = session();
		const view = await talk.run(agent, `${write("high water")}\n/read_file {"path":"note.txt"}`);
		expect(view).toMatchObject({ status: "completed", jobId: expect.any(String) });
		expect(view.answer).toContain("high water");
		const job = view.jobId ?? "";
		expect([await read(agent), await read(agent, `&job=${job}`)]).toEqual(["low water", "high water"]);
		expect(await jobOf(agent, job)).toMatchObject({
			...{ state: "open", sessionId: talk.id },
			changes: [{ path: "/workspace/note.txt", change: "modified" }],
		});
		expect((await end(agent, job, "commit")).status).toBe(200);
		expect(await read(agent)).toBe("high water");
	});

	it("goes on in the same job in its next turn, and in a new one after a roll back", async () => {
		const agent = await makeAgent(staged);
		const talk = session();
		const first = await talk.run(agent, write("1"));
		const second = await talk.run(agent, write("2"));
		expect(second.jobId).toBe(first.jobId);
		expect((await end(agent, first.jobId ?? "", "rollback")).status).toBe(200);
		const third = await talk.run(agent, write("3"));
		expect([third.jobId === first.jobId, third.status]).toEqual([false, "completed"]);
		expect(await read(agent, `&job=${third.jobId}`)).toBe("3");
	});

	it("names no job in a turn that has only read", async () => {
		const agent = await makeAgent(staged);
		await put(agent, "low water");
		expect((await session().run(agent, '/read_file {"path":"note.txt"}')).jobId).toBeUndefined();
		expect((await call(`/api/v1/workspaces/${agent}/jobs`)).json).toMatchObject({ items: [] });
	});

	it("is called directly with a job, and not without one", async () => {
		const agent = await makeAgent(staged);
		const execute = async (over: object) => {
			const body = { agent, arguments: { path: "note.txt", content: "x" }, ...over };
			return (await call("/api/v1/tools/write_file/execute", { body })).json;
		};
		expect(await execute({})).toMatchObject({ success: false, code: "conflict" });
		const jobId = await begin(agent);
		expect(await execute({ jobId })).toMatchObject({ success: true, meta: { jobId } });
		expect((await call(`/api/v1/workspaces/${agent}/files?path=note.txt`)).status).toBe(404);
		expect(await read(agent, `&job=${jobId}`)).toBe("x");
	});
});

describe("a job that nobody uses", () => {
	it("is rolled back by the alarm when its time is over", async () => {
		const workspace = `w-${uuid7()}`;
		const stub = env.WORKSPACE.getByName(workspace);
		await call("/api/v1/settings", { method: "PUT", body: { writeSandbox: { ttlSeconds: 60 } } });
		const id = await begin(workspace);
		await call("/api/v1/settings", { method: "PUT", body: {} });
		await put(workspace, "x", `&job=${id}`);

		expect(await runDurableObjectAlarm(stub)).toBe(true);
		expect(await jobOf(workspace, id)).toMatchObject({ state: "open", bytes: 1 });

		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 70_000 });
		expect(await runDurableObjectAlarm(stub)).toBe(true);
		vi.useRealTimers();
		expect(await jobOf(workspace, id)).toMatchObject({ state: "expired", bytes: 0, changes: [], expiresAt: null });
		expect((await put(workspace, "y", `&job=${id}`)).status).toBe(409);
		expect((await end(workspace, id, "commit")).status).toBe(409);
		expect(await runDurableObjectAlarm(stub)).toBe(false);
	});
});

describe("a symbolic link over the API", () => {
	const linked = async (...links: readonly [name: string, target: string][]) => {
		const agent = await makeAgent();
		await call("/api/v1/sandbox/whitelist/SHELL", { body: { value: "ln" } });
		await put(agent, "high water");
		const command = links.map(([name, target]) => `ln -s ${target} ${name}`).join(" && ");
		const made = await call("/api/v1/tools/shell/execute", { body: { agent, arguments: { command } } });
		expect(made.json, made.text).toMatchObject({ success: true });
		return `/api/v1/workspaces/${agent}/files`;
	};

	it("is listed with its target and read where it leads", async () => {
		const files = await linked(["latest", "note.txt"]);
		expect((await call(files)).json).toMatchObject({
			items: [
				{ name: "latest", path: "/workspace/latest", kind: "symlink", target: "note.txt" },
				{ name: "note.txt", kind: "file", target: null },
			],
		});
		const read = await call(`${files}?path=latest`);
		expect(read.text).toBe("high water");
		expect(read.headers.get("content-disposition")).toContain("note.txt");
		expect((await call(`${files}?path=latest`, { method: "DELETE" })).status).toBe(204);
		expect((await call(`${files}?path=note.txt`)).text).toBe("high water");
	});

	it.each([
		["out of the workspace", "/etc/passwd", 403, "symlink_escape"],
		["into a circle", "link", 400, "too_many_links"],
	])("leads nobody %s", async (_, target, status, reason) => {
		const files = await linked(["link", target]);
		for (const method of ["GET", "PUT"]) {
			const answer = await call(`${files}?path=link`, { method, ...(method === "PUT" && { body: "x" }) });
			expect([answer.status, answer.json]).toMatchObject([status, { error: { details: { reason } } }]);
		}
	});
});

describe("a large body that is refused", () => {
	it.each([
		["by the list", "/etc/passwd", 403],
		["by a condition", "note.txt", 412],
	])("%s is answered all the same", async (_, path, status) => {
		const workspace = `w-${uuid7()}`;
		await put(workspace, "high water");
		const body = new Response(new Uint8Array(5_000_000)).body ?? "";
		const refused = await call(`/api/v1/workspaces/${workspace}/files?path=${path}`, {
			...{ method: "PUT", body },
			headers: { "if-none-match": "*" },
		});
		expect(refused.status).toBe(status);
		expect(await read(workspace)).toBe("high water");
	});
});
