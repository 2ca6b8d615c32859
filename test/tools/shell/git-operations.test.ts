import { describe, expect, it } from "vitest";
import type { ProgramRequest } from "../../../src/shared/runner-programs";
import { endedWell } from "../../support/no-runner";
import { workspaceWorld } from "../../support/node/workspace-world";

/** What git would have been asked, by a runner that only notes it. */
async function asked(args: object, { marked = "interpreter:git" } = {}) {
	const requests: ProgramRequest[] = [];
	const world = await workspaceWorld({
		whitelist: { SHELL: [marked] },
		policy: { tools: { interpreter: "allow" } },
		runner: {
			async fetch(request) {
				const [header = ""] = (await request.text()).split("\n");
				requests.push(JSON.parse(header));
				return endedWell();
			},
		},
	});
	const result = await world.call("git_operations", args);
	/** Without the safeguards, which come in pairs of -c and a setting. */
	const own = (list: readonly string[]) => list.filter((arg, at) => arg !== "-c" && list[at - 1] !== "-c");
	return { result, lines: requests.map((request) => own(request.args).join(" ")), rows: world.rows };
}

describe("git_operations", () => {
	it.each<[object, string[]]>([
		[{ operation: "status" }, ["status --short --branch"]],
		[{ operation: "diff", args: ["HEAD~1"] }, ["diff HEAD~1"]],
		[{ operation: "log" }, ["log --oneline -n 20"]],
		[{ operation: "branch" }, ["branch --list --all"]],
		[{ operation: "commit", message: "it's $(done)" }, ["add --all", "commit -m it's $(done)"]],
		[{ operation: "commit", message: "one", args: ["a.txt"] }, ["commit -m one a.txt"]],
	])("runs %j", async (args, lines) => {
		const made = await asked(args);
		expect(made.lines).toEqual(lines);
		expect(made.result).toMatchObject({ success: true, meta: { exitCode: 0, sandbox: "bubblewrap" } });
	});

	it.each<[string, object, string, string | undefined]>([
		["a commit without a message", { operation: "commit" }, "invalid_arguments", undefined],
		["an operation that it does not have", { operation: "clone" }, "invalid_arguments", undefined],
		["an argument that names a program", { operation: "diff", args: ["--ext-diff"] }, "argument_denied", undefined],
		["git where it is not listed", { operation: "status" }, "not_listed", "ls"],
		["git where its entry does not say what it is", { operation: "status" }, "not_listed", "git"],
	])("refuses %s, and git is not run", async (_, args, code, marked) => {
		const made = await asked(args, marked === undefined ? {} : { marked });
		expect(made.result).toMatchObject({ success: false, code });
		expect(made.lines).toEqual([]);
		expect(made.rows).toMatchObject([{ success: false, code }]);
	});

	it("says that it needs the runner where there is none", async () => {
		const world = await workspaceWorld({ whitelist: { SHELL: ["interpreter:git"] } });
		expect(await world.call("git_operations", { operation: "status" })).toMatchObject({
			success: false,
			code: "unavailable",
		});
	});
});
