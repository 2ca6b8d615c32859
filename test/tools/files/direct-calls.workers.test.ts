import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { call } from "../../support/workers/api";

interface Executed {
	readonly invocationId: string;
	readonly success: boolean;
	readonly content: string;
	readonly meta: Readonly<Record<string, unknown>>;
}

async function execute(tool: string, args: object): Promise<Executed & { status: number }> {
	const { status, json } = await call(`/api/v1/tools/${tool}/execute`, { body: { arguments: args } });
	return { ...(json as Executed), status };
}

const list = (category: string, value: string) => call(`/api/v1/sandbox/whitelist/${category}`, { body: { value } });

const gateOf = (id: string) => env.DB.prepare("SELECT gate FROM tool_invocations WHERE id = ?").bind(id).first("gate");

beforeAll(async () => {
	for (const command of ["cat", "grep", "wc"]) await list("SHELL", command);
	await list("HTTP", "files.example");
});

describe("tools on files, called over the API in workerd", () => {
	it("write, edit, read, find and run over the same files", async () => {
		await execute("write_file", { path: "p/a.txt", content: "one\ntwo\n" });
		await execute("edit_file", { path: "p/a.txt", old_string: "two", new_string: "three" });
		expect((await execute("read_file", { path: "p/a.txt" })).content).toMatch(/^one\nthree\n\[/);
		expect((await execute("grep", { pattern: "th", path: "p" })).content).toBe("p/a.txt:2:three");
		expect((await execute("glob", { pattern: "p/*.txt" })).content).toBe("p/a.txt");
		expect((await execute("list_dir", { path: "p" })).content).toMatch(/14? {2}a\.txt|10 {2}a\.txt/);
		expect((await execute("shell", { command: "cat p/a.txt | grep -c o" })).content).toBe(
			"exit code 0\n--- stdout ---\n1",
		);
	});

	it("answer 403 and record the gate when a list says no, before or while the call runs", async () => {
		const early = await execute("read_file", { path: "/etc/passwd" });
		const late = await execute("shell", { command: "cat p/a.txt | id" });
		for (const { status, success, meta, invocationId } of [early, late]) {
			expect({ status, success, gate: meta.gate }).toEqual({ status: 403, success: false, gate: "lists" });
			expect(await gateOf(invocationId)).toBe("lists");
		}
	});

	it("answer 200 when the files themselves say no", async () => {
		expect(await execute("read_file", { path: "none" })).toMatchObject({ status: 200, success: false });
	});
});

describe("download_file in workerd", () => {
	const answer = (response: () => Response) => vi.stubGlobal("fetch", async () => response());
	const url = "https://files.example/f";

	it("streams a body through to the workspace", async () => {
		answer(() => new Response(new Uint8Array(3_000_000).fill(120), { headers: { "content-type": "text/plain" } }));
		expect(await execute("download_file", { url, path: "d/large" })).toMatchObject({
			success: true,
			content: `Stored ${url} as /workspace/d/large: 3000000 bytes, text/plain.`,
		});
		expect((await execute("shell", { command: "wc -c d/large" })).content).toContain("3000000 d/large");
	});

	it("leaves no part of a body that breaks off", async () => {
		answer(
			() =>
				new Response(
					new ReadableStream({
						start: (controller) => controller.enqueue(new Uint8Array(600_000)),
						pull: () => Promise.reject(new Error("reset")),
					}),
				),
		);
		expect(await execute("download_file", { url, path: "d/broken" })).toMatchObject({
			success: false,
			code: "upstream",
		});
		expect(await execute("read_file", { path: "d/broken" })).toMatchObject({ success: false, code: "not_found" });
	});

	it("stores no error page", async () => {
		answer(() => new Response("no", { status: 404 }));
		expect(await execute("download_file", { url, path: "d/error" })).toMatchObject({
			success: false,
			code: "upstream",
		});
		expect(await execute("read_file", { path: "d/error" })).toMatchObject({ success: false, code: "not_found" });
	});
});
