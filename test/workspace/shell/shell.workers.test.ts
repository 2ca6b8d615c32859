import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Database } from "../../../src/workspace/database";
import { guarded } from "../../../src/workspace/guarded";
import { openFileSystem, openRoot, setUp } from "../../../src/workspace/open-file-system";
import { runShell, type ShellReply } from "../../../src/workspace/shell/run-shell";
import { noProgram } from "../../support/no-runner";

const listed = "awk cat cp curl diff echo env find grep ls mkdir rm sed seq sh sleep sort wc xargs".split(" ");

/** Runs a command line over an object's own storage. */
async function run(command: string, timeoutMs = 5_000): Promise<ShellReply> {
	const stub = env.WORKSPACE.getByName(crypto.randomUUID());
	return await runInDurableObject(stub, async (_, { storage }) => {
		const db: Database = {
			exec: (query, ...bindings) => storage.sql.exec(query, ...bindings),
			transaction: (run) => storage.transactionSync(run),
		};
		setUp(db);
		const rootOf = (name: string) => ({ inode: openRoot(db, name), layer: () => 0, writable: () => 0 });
		const files = openFileSystem(db, {
			roots: { workspace: rootOf("workspace"), tmp: rootOf("tmp:test") },
			documents: { look: () => undefined },
			maxFileBytes: 1_000_000,
			maxBytes: 10_000_000,
			now: () => Date.now(),
		});
		files.write("/workspace/a.txt", new TextEncoder().encode("alpha\nbeta\ngamma\n"));
		files.write(
			"/tmp/every-byte",
			Uint8Array.from({ length: 256 }, (_, at) => (at + 11) % 256),
		);
		return await runShell({
			files: guarded(files, { root: "/workspace", entries: [], memoryAcl: false, mayWriteProtected: false }),
			call: { command, cwd: undefined, timeoutMs },
			listed,
			home: "/workspace",
			interpreters: "supervised",
			runProgram: noProgram,
			fetch: () => Promise.reject(new Error("There is no network.")),
			signal: new AbortController().signal,
			beforeEffect: async () => {},
			read: async (run) => run(),
		});
	});
}

describe("a command line inside workerd", () => {
	it.each([
		["cat a.txt | grep a | wc -l", "3\n"],
		["for f in *.txt; do echo $f; done", "a.txt\n"],
		["mkdir d && cp a.txt d/b && find . -type f | sort", "./a.txt\n./d/b\n"],
		["sed 's/a/A/' a.txt | sort -r | awk 'NR==1'", "gAmma\n"],
		["seq 3 | xargs -I{} echo n{}", "n1\nn2\nn3\n"],
		["cat <<E\n$((6*7)) $(echo x)\nE", "42 x\n"],
		["f() { echo got $1; }; f b; sh -c 'echo $0'", "got b\nsh\n"],
		["diff a.txt <(sed 2d a.txt)", "2d1\n< beta\n"],
		["echo x > /tmp/t; cat /tmp/t; echo gone > /dev/null", "x\n"],
		["cat /tmp/every-byte | sort > b; sort /tmp/every-byte > c; wc -c < b; diff b c; grep -c Z b", "256\n1\n"],
		["env | sort | sed 1q; cat /etc/passwd", "HOME=/workspace\n"],
	])("does what it does elsewhere: %s", async (command, stdout) => {
		expect(await run(command)).toMatchObject({ ok: true, outcome: { stdout } });
	});

	it("is refused for a command that is not listed", async () => {
		expect(await run("echo $(printenv); echo after")).toMatchObject({ ok: false, reason: "command_not_allowed" });
	});

	it.each([
		"while :; do :; done",
		"while :; do cat a.txt > b.txt; done",
		"sleep 100",
		"awk 'BEGIN{while(1)for(i=0;i<9;i++);}'",
	])("is ended, though the clock stands still while it works: %s", async (command) => {
		expect(await run(command, 1_000)).toMatchObject({
			ok: false,
			code: expect.stringMatching(/^(timeout|too_large)$/),
		});
	});

	it("tells of the request that the gate did not make", async () => {
		expect(await run("curl -sS https://example.org/ || echo none")).toMatchObject({
			ok: true,
			outcome: { stdout: "none\n" },
		});
	});
});
