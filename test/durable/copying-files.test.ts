import { describe, expect, it, vi } from "vitest";
import { endedWell } from "../support/no-runner";
import { workspaceWorld } from "../support/node/workspace-world";

/** A runner that takes files only while `isOpen`; until then a transfer to it stands still. */
function slowRunner() {
	const open = Promise.withResolvers<void>();
	const has = new Set<string>();
	const puts: string[] = [];
	return {
		open: open.resolve,
		puts,
		runner: {
			async fetch(request: Request): Promise<Response> {
				if (request.method === "PUT") {
					puts.push(request.url);
					await open.promise;
					await request.arrayBuffer();
					has.add("all");
					return new Response(null, { status: 204 });
				}
				const [header = ""] = (await request.text()).split("\n");
				if (has.has("all")) return endedWell();
				const { entries } = JSON.parse(header).mirror;
				return Response.json(
					{ missing: entries.flatMap((entry: { chunks?: string[] }) => entry.chunks ?? []) },
					{ status: 409 },
				);
			},
		},
	};
}

describe("files that take long to copy", () => {
	it("go on to the runner when the command line cannot wait, and are there for the next one", async () => {
		const { open, puts, runner } = slowRunner();
		const world = await workspaceWorld({
			texts: { "/workspace/a.txt": "x".repeat(1_500_000) },
			whitelist: { SHELL: ["arch"] },
			runner,
		});
		const call = () => world.call("shell", { command: "arch", timeout_seconds: 1 });
		const copying = { success: false, code: "unavailable", retryable: true, meta: { reason: "copying_files" } };
		const first = await call();
		expect(first).toMatchObject(copying);
		expect(first).toHaveProperty("errorMessage", expect.stringMatching(/\d\.\d of 1\.0 MB so far/));
		expect(await call()).toMatchObject(copying);
		expect(puts).toHaveLength(1);
		open();
		await vi.waitFor(async () => expect(await call()).toMatchObject({ success: true, meta: { exitCode: 0 } }));
		expect(puts).toHaveLength(1);
	});
});
