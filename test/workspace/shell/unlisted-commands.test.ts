import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openShell } from "./open-shell";

const listed = [
	"echo",
	"cat",
	"printf",
	"find",
	"xargs",
	"env",
	"timeout",
	"sh",
	"bash",
	"awk",
	"sed",
	"sort",
	"tee",
	"time",
	"rm",
];

/** A program of the workspace that would leave a trace. */
const canaryText = "#!/bin/bash\necho ran > /workspace/ran\n";

function openWithCanary() {
	const shell = openShell(listed);
	for (const name of ["canary", "ls"]) {
		shell.files.write(`/workspace/${name}`, new TextEncoder().encode(canaryText), { mode: 0o755 });
	}
	return shell;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Ways to write the name of a command that is not listed. */
const names = [
	"canary",
	"./canary",
	"/workspace/canary",
	"/bin/canary",
	"/usr/bin/canary",
	"/usr/local/bin/canary",
	"PATH=/workspace ls",
	"PATH=.:/bin ls",
	"\\canary",
	"can'ar'y",
	"$'\\x63anary'",
	"{canary,x}",
	"c=canary; $c x",
	"c='canary x'; $c",
	"${none:-canary}",
	"$(echo canary) x",
	"2>/dev/null canary",
	"A=1 canary",
	"command canary",
	"exec canary",
	"env canary",
	"env A=1 canary",
	"timeout 5 canary",
	"echo x | xargs canary",
	"echo canary | xargs -I{} {} x",
	"find . -maxdepth 0 -exec canary {} \\;",
	"find . -maxdepth 0 -exec canary {} +",
	"hash -p /workspace/canary cat; /workspace/canary",
	"ls() { canary; }; ls",
	'set -- canary x; "$@"',
	'a=(canary x); "${a[@]}"',
	"declare -n r=c; c=canary; $r",
];

/** Ways to have a command line run by another. */
const wrappers: readonly ((line: string) => string)[] = [
	(line) => `eval ${quote(line)}`,
	(line) => `echo "$(${line}\n)"`,
	(line) => `( ${line}\n)`,
	(line) => `{ ${line}\n}`,
	(line) => `sh -c ${quote(line)}`,
	(line) => `bash -c ${quote(line)}`,
	(line) => `env sh -c ${quote(line)}`,
	(line) => `timeout 5 sh -c ${quote(line)}`,
	(line) => `echo x | xargs sh -c ${quote(line)}`,
	(line) => `find . -maxdepth 0 -exec sh -c ${quote(line)} \\;`,
	(line) => `f() { ${line}\n}; f`,
	(line) => `a=(${quote(line)}); eval "\${a[0]}"`,
	(line) => `v=${quote(line)}; eval "$v"`,
	(line) => `if ${line}\nthen :; fi`,
	(line) => `while ${line}\ndo break; done`,
	(line) => `for i in 1; do ${line}\ndone`,
	(line) => `case x in x) ${line}\n;; esac`,
	(line) => `true && { ${line}\n}`,
	(line) => `false || { ${line}\n}`,
	(line) => `! { ${line}\n}`,
	(line) => `{ ${line}\n} | cat`,
	(line) => `echo x | { ${line}\n}`,
	(line) => `cat <( ${line}\n)`,
	(line) => `cat <<E${line.length}\n$( ${line}\n)\nE${line.length}`,
	(line) => `printf '%s\\n' ${quote(line)} > s.sh; sh s.sh`,
	(line) => `printf '%s\\n' ${quote(line)} > s.sh; source ./s.sh`,
	(line) => `printf '%s\\n' ${quote(line)} | bash`,
	(line) => `bash <<'E${line.length}'\n${line}\nE${line.length}`,
	(line) => `builtin eval ${quote(line)}`,
	(line) => `command eval ${quote(line)}`,
	(line) => `x=$( ${line}\n); echo $x`,
	(line) => `echo \${none:-$( ${line}\n)}`,
	(line) => `[[ -n $( ${line}\n) ]]`,
	(line) => `{ ${line}\n} &`,
];

/** What bash runs by surprise, and this shell need not run at all. */
const surprises: readonly ((line: string) => string)[] = [
	(line) => `cat <<< "$( ${line}\n)"`,
	(line) => `a[$( ${line}\n)0]=1`,
	(line) => `x=${quote(`$(${line}\n)`)}; echo \${x@P}`,
	(line) => `test -v ${quote(`a[$(${line}\n)]`)}`,
	(line) => `[[ ${quote(`a[$(${line}\n)]`)} -eq 0 ]]`,
	(line) => `x=${quote(`a[$(${line}\n)]`)}; echo $((x))`,
	(line) => `printf -v ${quote(`a[$(${line}\n)]`)} x`,
	(line) => `read ${quote(`a[$(${line}\n)]`)} <<< x`,
	(line) => `unset ${quote(`a[$(${line}\n)]`)}`,
	(line) => `awk ${quote(`BEGIN{system(${JSON.stringify(line)})}`)}`,
	(line) => `awk ${quote(`BEGIN{${JSON.stringify(line)} | getline; print | ${JSON.stringify(line)}}`)}`,
	(line) => `echo x | sed ${quote(`1e ${line}`)}`,
	(line) => `echo x | sed ${quote(`s/x/${line.replaceAll("/", "\\/")}/e`)}`,
	(line) => `sort --compress-program=${quote(line)} a.txt`,
	(line) => `trap ${quote(line)} EXIT`,
	(line) => `PS4=${quote(`$(${line}\n)`)}; set -x; echo x`,
	(line) => `PROMPT_COMMAND=${quote(line)}; BASH_ENV=${quote(line)} bash -c :`,
	(line) => `export -f f 2>/dev/null; BASH_FUNC_echo%%=${quote(`() { ${line}; }`)} bash -c 'echo x'`,
	(line) => `shopt -s expand_aliases\nalias k=${quote(line)}\nk`,
	(line) => `coproc { ${line}\n}`,
	(line) => `mapfile -C ${quote(line)} -c 1 < a.txt`,
	(line) => `complete -C ${quote(line)} x; compgen -C ${quote(line)}`,
];

const nested = fc
	.tuple(fc.constantFrom(...names), fc.array(fc.constantFrom(...wrappers), { maxLength: 4 }))
	.map(([name, around]) => around.reduce((line, wrap) => wrap(line), name));

describe("an unlisted command", () => {
	it.each(names.map((name) => [name]))("refuses the whole line: %s", async (name) => {
		const shell = openWithCanary();
		expect(await shell.run(`echo before; ${name}; echo after`)).toMatchObject({
			ok: false,
			reason: "command_not_allowed",
		});
		expect(shell.tree()).not.toHaveProperty("ran");
	});

	it("is refused however deep it lies", async () => {
		await fc.assert(
			fc.asyncProperty(nested, async (line) => {
				const shell = openWithCanary();
				const reply = await shell.run(line);
				// Some nestings are no bash, or none that this parser reads; then nothing runs at all.
				const isUnread = reply.ok && reply.outcome.exitCode === 2 && reply.outcome.stderr.includes("syntax error");
				if (!isUnread) expect(reply).toMatchObject({ ok: false, code: "not_listed", reason: "command_not_allowed" });
				expect(shell.tree()).not.toHaveProperty("ran");
			}),
			{ numRuns: 400 },
		);
	});

	it("never runs where bash would run it by surprise", async () => {
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...surprises), nested, async (surprise, line) => {
				const shell = openWithCanary();
				await shell.run(surprise(line));
				expect(shell.tree()).not.toHaveProperty("ran");
			}),
			{ numRuns: 400 },
		);
	});

	it("ends everything: what comes after it does nothing", async () => {
		const shell = openWithCanary();
		const before = shell.tree();
		await shell.run("canary; echo x > made; rm a.txt; echo y >> b.txt");
		expect(shell.tree()).toEqual(before);
	});

	it.each([
		"./missing",
		"sub/missing 2>/dev/null; true",
		"./missing $(echo x) $(f() { :; }; f) > ./made 2>&1",
		"x=./miss; ${x}ing",
		"command ./missing",
		"exec ./missing",
		"xargs ./missing < a.txt",
		"find . -maxdepth 0 -exec ./missing {} \\;",
		"sh -c /workspace/missing",
		"f() { ./missing; }; f",
		"/etc/missing",
	])("is refused by a path where there is no file: %s", async (line) => {
		expect(await openWithCanary().run(`echo x > ./made; ${line}`)).toMatchObject({
			ok: false,
			reason: "command_not_allowed",
			message: expect.stringContaining("missing"),
		});
	});

	it("may be missing wherever its path is no command", async () => {
		const line = [
			"f() { :; }; f; [[ -e ./missing || -e ./$(echo missing) ]] || echo 1",
			"[ -e ./missing ] || type ./missing 2>/dev/null || command -v ./missing || echo 2",
			"echo 3 > ./new; cat ./new; cat 2>/dev/null < ./missing || echo 4",
			"set -C; echo 5 > ./newer; cat ./newer",
			"[ -x ./missing ] && ./missing",
		].join("\n");
		expect(await openWithCanary().run(line)).toMatchObject({
			ok: true,
			outcome: { stdout: "1\n2\n3\n4\n5\n", stderr: "" },
		});
	});

	it.each(["command -v canary", "type canary", "test -x /bin/canary", "[ -x /usr/bin/canary ] && /usr/bin/canary"])(
		"may be asked for: %s",
		async (line) => {
			expect(await openWithCanary().run(line)).toMatchObject({ ok: true, outcome: { exitCode: 1 } });
		},
	);
});

describe("a listed name", () => {
	it("runs an identical entry with a slash", async () => {
		const shell = openShell(["./script.sh", "echo", "/bin/cat"]);
		expect(await shell.run("./script.sh a; /bin/cat nonl.txt")).toMatchObject({
			ok: true,
			outcome: { stdout: "args: 1 a\nno newline" },
		});
		expect(await shell.run("/workspace/script.sh a")).toMatchObject({ ok: false, reason: "command_not_allowed" });
		expect(await shell.run("cat nonl.txt")).toMatchObject({ ok: false, reason: "command_not_allowed" });
	});

	it("governs what a listed script runs", async () => {
		const shell = openShell(["./script.sh"]);
		expect(await shell.run("./script.sh a")).toMatchObject({ ok: false, message: expect.stringContaining('"echo"') });
	});

	it("is a program of the runner by its bare name only", async () => {
		const shell = openShell(["interpreter:git", "/usr/bin/python3", "./x.py", "echo"]);
		shell.files.write("/workspace/x.py", new TextEncoder().encode("#!/usr/bin/env python3\necho x\n"), { mode: 0o755 });
		for (const line of ["echo x; /usr/bin/python3 -V", "./x.py"]) {
			expect(await shell.run(line)).toMatchObject({ ok: false, reason: "program_by_path" });
		}
		expect(await shell.run("git status", { interpreters: "allow" })).toMatchObject({
			ok: false,
			reason: "needs_runner",
		});
	});

	it("runs no interpreter that is unmarked, unapproved or denied", async () => {
		const lines = [
			"git x",
			"p=gi; ${p}t x",
			"xargs git < a.txt",
			"find . -exec git {} \\;",
			"f() { git; }; f",
			"echo $(git)",
		];
		for (const line of lines) {
			const commands = ["echo", "xargs", "find"];
			const marked = openShell([...commands, "interpreter:git"]);
			expect(await openShell([...commands, "git"]).run(line)).toMatchObject({ reason: "interpreter_unmarked" });
			expect(await marked.run(line)).toMatchObject({ code: "approval_required", reason: "interpreter" });
			expect(await marked.run(line, { interpreters: "deny" })).toMatchObject({ code: "policy_denied" });
		}
	});

	it("is found by the name as it is, never by its end", async () => {
		const shell = openShell(["echo"]);
		for (const line of ["xecho", "Echo", "echo.", "/bin/echo", "echo/", "../bin/echo"]) {
			const reply = await shell.run(line);
			expect(reply.ok && reply.outcome.exitCode === 0).toBe(false);
		}
	});
});
