import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import ownPaths from "../fixtures/gates/hostile-paths.json" with { type: "json" };
import ownLines from "../fixtures/shell/hostile.json" with { type: "json" };
import { type HostilePath, hostilePath, inOurTree } from "../gates/hostile-path";
import { corpusText } from "../support/corpus-text";
import { call } from "../support/workers/api";
import { callIn, type Outcome, secret } from "../support/workers/hostile-world";
import { answerTo, hostileLine } from "../workspace/shell/hostile-line";

/** The shared corpus, where there is one. */
const corpus = Object.values(
	import.meta.glob<string>("../../../shared/data/hostile-inputs.json", {
		query: "?raw",
		import: "default",
		eager: true,
	}),
).flatMap((text) => z.array(z.looseObject({ id: z.string(), category: z.string() })).parse(JSON.parse(text)));

interface Refusal {
	readonly status: number;
	readonly code: string;
	readonly gate: "lists" | null;
	/** How the sentence names the list or the rule. */
	readonly words: RegExp;
}

const byList = (words: RegExp): Refusal => ({ status: 403, code: "not_listed", gate: "lists", words });
const byRule = (words: RegExp): Refusal => ({ status: 400, code: "invalid_arguments", gate: "lists", words });
const byFiles = (code: string, words: RegExp): Refusal => ({ status: 200, code, gate: null, words });

const refusals: Readonly<Record<string, Refusal>> = {
	command_not_allowed: byList(/^The command "[^"]+" is not on the SHELL list|^The SHELL list is empty/),
	outside_root: byList(/FILE list/),
	symlink_escape: byList(/symbolic link to a place that is not on the FILE list/),
	protected_path: byList(/ is protected: .* whatever the FILE list holds/),
	memory_acl: byList(/memory\.aclEnabled/),
	invalid_path: byList(/path|"~"|URL|root of the workspace/),
	forbidden_char: byRule(/has the character U\+[0-9A-F]{4,} at position/),
	command_too_long: byRule(/at most \d+ bytes/),
	empty_command: byRule(/no command in the command line/),
	interpreter_unmarked: byList(/"interpreter:\w+"/),
	name_too_long: byFiles("invalid_arguments", /longer than 255 bytes/),
	not_found: byFiles("not_found", /There is no file/),
	too_many_links: byFiles("invalid_arguments", /symbolic links .* lead in a circle/),
	not_a_regular_file: byFiles("invalid_arguments", /is a directory/),
	not_a_directory: byFiles("invalid_arguments", /needs a directory/),
};

/** The call was refused for this reason, is in the audit as that, and has changed and reached nothing. */
function expectRefusal(outcome: Outcome, reason: string): void {
	const refusal = refusals[reason];
	if (!refusal) throw new Error(`No test knows the refusal ${reason}.`);
	expect(outcome.answer.meta.reason).toBe(reason);
	expectFailure(outcome, refusal);
}

function expectFailure(
	{ answer, rows, before, after, reached }: Outcome,
	{ status, code, gate, words }: Refusal,
): void {
	expect({ ...answer, gate: answer.meta.gate ?? null }).toMatchObject({ status, success: false, code, gate });
	expect(answer.content).toMatch(words);
	expect(rows).toMatchObject([{ success: 0, code, gate, error_message: answer.errorMessage }]);
	const { reason } = answer.meta;
	expect(JSON.parse(rows[0]?.result_json ?? "")).toMatchObject({
		success: false,
		code,
		...(reason && { meta: { reason } }),
	});
	expect(after).toBe(before);
	expect(reached).toEqual([]);
}

/** The call was made, is in the audit as that, and has shown nothing of the neighbour. */
function expectSuccess({ answer, rows, reached }: Outcome): void {
	expect(answer).toMatchObject({ status: 200, success: true, code: null });
	expect(answer.content).not.toContain(secret);
	expect(rows).toMatchObject([{ success: 1, code: null, gate: null, error_message: null }]);
	expect(reached).toEqual([]);
}

describe("a hostile command line, as a call of the tool shell", () => {
	interface Line {
		readonly id: string;
		readonly command: string;
		readonly allow: readonly string[];
		/** `ok`, or why it is refused. */
		readonly answer: string;
	}
	const shared = corpus
		.filter(({ category }) => category === "shell")
		.map((one): Line => {
			const line = hostileLine.parse(one);
			return { id: line.id, command: line.input.command, allow: line.config.shell.allow, answer: answerTo(line) };
		});

	it.each([...(ownLines satisfies Line[]), ...shared])("$id: $answer", async ({ command, allow, answer }) => {
		const outcome = await callIn({ shell: allow }, "shell", { command });
		if (answer !== "ok") return expectRefusal(outcome, answer);
		expectSuccess(outcome);
		expect(outcome.after).toBe(outcome.before);
		expect(outcome.answer.content).toMatch(/^exit code \d+\n/);
		expect(outcome.answer.content).not.toContain("uid=");
	});

	it("is the same as executable and arguments, and by the tool's other name", async () => {
		const named = await callIn({}, "shell", { executable: "./ls", arguments: ["-la"] });
		const face = await callIn({}, "execute_command", { command: "ls; rm -rf ." });
		for (const outcome of [named, face]) expectRefusal(outcome, "command_not_allowed");
	});

	it("reaches no host but a listed one, and tells of it", async () => {
		const url = "https://a.example/x";
		const refused = await callIn({ shell: ["curl"] }, "shell", { command: `curl -sS ${url}; true` });
		expectSuccess(refused);
		expect(refused.answer.content).toContain("HTTP list");
		const made = await callIn({ shell: ["curl"], http: ["a.example"] }, "shell", { command: `curl -sS ${url}` });
		expect(made.reached).toEqual([url]);
	});
});

describe("a hostile path, as a call of a file tool", () => {
	/** Cases that no call can put. */
	const notCallable: Readonly<Record<string, string>> = {
		"path-10": "there are no hard links: see below, and the archives that hold one",
		"path-23": "there are no FIFOs: see the archives that hold one",
		"path-31": "there is no git_tool but git in the shell, which the runner has: see below",
		"control folder linked": "no tool makes a link but the shell: see below",
	};
	const shared = corpus.filter(({ category }) => category === "path");
	const cases = [...ownPaths, ...shared]
		.filter(({ id }) => !Object.hasOwn(notCallable, id))
		.map((one) => hostilePath.parse(one));

	// To delete a directory with everything in it is supervised unless the policy says otherwise.
	beforeAll(async () => {
		await call("/api/v1/policy", { method: "PUT", body: { tools: { delete_recursive: "allow" } } });
		return () => call("/api/v1/policy", { method: "PUT", body: {} });
	});

	function callOf({ tool, input }: HostilePath): [tool: string, args: object] {
		const path = inOurTree(input.path ?? "");
		const to = inOurTree(input.to ?? "");
		if (tool === "move_file" || tool === "copy_file") return [tool, { from: path, to }];
		if (tool === "write_file") return [tool, { path, content: "new" }];
		if (tool === "delete_tree") return ["delete_file", { path, recursive: true }];
		if (tool === "shell") return [tool, { command: "ls", cwd: inOurTree(input.cwd ?? "") }];
		return [tool, { path }];
	}

	it.each(cases)("$id: $expect.decision, $expect.reason", async (one) => {
		const [tool, args] = callOf(one);
		const outcome = await callIn({ memoryAcl: one.config.memory?.acl ?? false }, tool, args);
		if (one.expect.decision !== "allow") return expectRefusal(outcome, one.expect.reason);
		expectSuccess(outcome);
		const looks = ["read_file", "list_dir", "shell"].includes(tool);
		if (looks) expect(outcome.after).toBe(outcome.before);
	});

	it.each([
		["a hard link", "ln ../oryxos-evil/secret hard", /not permitted|no hard links|outside|FILE list/],
		["a link in the place of a control folder", "ln -s sub .git/hooks", /is protected/],
		["a link's far end, read", "cat ln/secret", /leads through a symbolic link/],
		["a link's far end, written", "echo x > ln/new; cp a.txt ln/b", /leads through a symbolic link/],
	])("is refused inside a command line too: %s", async (_, command, words) => {
		const outcome = await callIn({ shell: ["ln", "cat", "cp", "rm", "echo"] }, "shell", { command });
		expectSuccess(outcome);
		expect(outcome.answer.meta.exitCode).not.toBe(0);
		expect(outcome.answer.content).toMatch(words);
		expect(outcome.after).toBe(outcome.before);
	});

	it("is for the runner to judge inside git's options, and git must be marked before", async () => {
		const outcome = await callIn({ shell: ["git"] }, "shell", { command: "git --git-dir=/etc status" });
		expectRefusal(outcome, "interpreter_unmarked");
	});

	it("leaves out only what no call can put", () => {
		expect(ownPaths.length + shared.length - cases.length).toBe(shared.length > 0 ? 4 : 1);
	});
});

describe("a hostile text, as a call of the tool that is to search or read it", () => {
	interface Case {
		readonly id: string;
		readonly call: readonly [tool: string, args: object];
		/** What the call is to search or read; short without it. */
		readonly text?: string;
		/** What is answered, or the refusal. */
		readonly answer: RegExp | Refusal;
	}
	const page = "https://a.example/page";
	const grep = (pattern: string): Case["call"] => ["grep", { pattern, path: "text" }];
	const query = (path: string): Case["call"] => ["json_extract", { json: '{"a":1}', path }];
	const fetchPage: Case["call"] = ["fetch_webpage", { url: page }];
	const read: Case["call"] = ["read_file", { path: "text" }];
	const noMatch = /^\[No line matches .*: 1 file searched\.\]$/;
	const tooLarge = byFiles("invalid_arguments", /^(A pattern has at most|The pattern repeats or nests too much)/);
	const noPath = byFiles("invalid_arguments", /^The (key \w+ is refused|path cannot be read)/);
	const tooDeep = /nested too deeply to be read to its end/;
	const cut = /\n\[.*: lines 1-\d+ of \d+, .* Read on with offset \d+\.\]$/;
	const large = "x\n".repeat(2_000_000);

	const own: readonly Case[] = [
		{ id: "backtracking", call: grep("^(a+)+$"), text: `${"a".repeat(30)}!`, answer: noMatch },
		{ id: "repeats of repeats", call: grep("((a{100}){100}){100}"), answer: tooLarge },
		{ id: "nesting", call: grep("(".repeat(50_000)), answer: tooLarge },
		{ id: "an option for a pattern", call: grep("--pre=sh"), answer: noMatch },
		{ id: "a prototype's key", call: query("__proto__.polluted"), answer: noPath },
		{ id: "a path that is code", call: query("$..[?(process.exit())]"), answer: noPath },
		{ id: "HTML too deep", call: fetchPage, text: "<div>".repeat(50_000), answer: tooDeep },
		{ id: "comments without end", call: fetchPage, text: "<!--".repeat(200_000), answer: /^URL: / },
		{ id: "a large file", call: read, text: large, answer: cut },
	];

	const textIn = (input: unknown, name: string) => corpusText.parse(z.looseObject({}).parse(input)[name] ?? "x");
	const dosEntry = z.object({
		id: z.string(),
		tool: z.string(),
		input: z.unknown(),
		expect: z.object({ reason: z.string() }),
	});
	const answers: Readonly<Record<string, Case["answer"]>> = {
		no_match: noMatch,
		literal_pattern: noMatch,
		regex_too_large: tooLarge,
		forbidden_key: noPath,
		unsupported_path: noPath,
		html_too_deep: tooDeep,
		ok: /^URL: /,
		truncated: cut,
	};
	const shared = corpus
		.filter(({ category }) => category === "dos")
		.map((one): Case => {
			const {
				id,
				tool,
				input,
				expect: { reason },
			} = dosEntry.parse(one);
			const answer = answers[reason] ?? /^no answer is known$/;
			if (tool === "grep") return { id, call: grep(textIn(input, "pattern")), text: textIn(input, "text"), answer };
			if (tool === "html_to_text") return { id, call: fetchPage, text: textIn(input, "html"), answer };
			// No file of a workspace is as large as the corpus has it.
			if (tool === "read_file") return { id, call: read, text: large, answer };
			const isChange = z.looseObject({ set: z.string() }).safeParse(input).success;
			return { id, call: query(textIn(input, isChange ? "set" : "path")), answer };
		});

	it.each([...own, ...shared])("$id", async ({ call: [tool, args], text = "x", answer }) => {
		const outcome = await callIn({ http: ["a.example"], files: { text }, page: text }, tool, args);
		if (!(answer instanceof RegExp)) return expectFailure(outcome, answer);
		const { success, content } = outcome.answer;
		expect({ success, content }).toEqual({ success: true, content: expect.stringMatching(answer) });
		expect(content.length).toBeLessThan(100_000);
		expect(outcome.rows).toMatchObject([{ success: 1, code: null, gate: null, error_message: null }]);
		expect(outcome.after).toBe(outcome.before);
		expect(outcome.reached).toEqual(tool === "fetch_webpage" ? [page] : []);
	});
});
