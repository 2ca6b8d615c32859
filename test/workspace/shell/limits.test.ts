import { describe, expect, it } from "vitest";
import { allCommands } from "../../fixtures/shell/all-commands";
import { openShell } from "./open-shell";

const endless = [
	"while :; do :; done",
	"while true; do true; done",
	"while :; do echo x; done",
	"until false; do :; done",
	"for ((;;)); do :; done",
	"f() { f; }; f",
	"f() { f | f; }; f",
	"a=x; while :; do a=$a$a; done",
	"a=(); while :; do a+=(1 2 3 4 5 6 7); done",
	"echo {1..9}{1..9}{1..9}{1..9}{1..9}{1..9}",
	"echo {1..10001}",
	"for i in {20000..1}; do :; done",
	"bash -c 'echo {-5000..5000}'",
	"x=$(echo {1..100000..9}); echo x",
	"seq 1000000000",
	"awk 'BEGIN{while(1);}'",
	"awk 'BEGIN{for(i=0;i<900000;i++)for(j=0;j<900000;j++)x++}'",
	"echo x | sed ':a;ba'",
	"echo x | sed ':a;s/x/xx/;ta'",
	"echo x | sed ':a;s/x/xx/g;ta'",
	"echo x | sed ':a;s/.*/&&/;ta'",
	"echo x | sed ':a;G;h;ba'",
	"echo x | sed ':a;H;x;ba'",
	"echo x | sed ':a;s/^/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/;p;ba'",
	"echo x | sed ':a;s/^/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/w out\nba'",
	"echo x | sed ':a;a xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nba'",
	"jq -n 'def f: f; [range(1e9)]|length'",
	"printf '%0100000000d' 1",
	"echo 'sh r.sh' > r.sh; sh r.sh",
	"echo '. ./r.sh' > r.sh; . ./r.sh",
	"eval 'e() { eval e; }; e'",
	"sh -c 'while :; do :; done'; echo after",
	"x=$(while :; do :; done); echo after",
	"while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx >> big.txt; done",
];

describe("what has very many lines", () => {
	const count = 400_000;

	it.each([
		["wc -l -L many", `${count}      1 many\n`],
		["wc -m many", `${2 * count} many\n`],
		["sed -n 's/a/b/;$p;$=' many", `b\n${count}\n`],
		["sed 's/a/b/' many | tail -1", "b\n"],
		["tr -d '\\n' < many | sed 's/a/b/g' | wc -c", `${count}\n`],
	])("is gone through: %s", async (line, stdout) => {
		const shell = openShell(["wc", "sed", "tail", "tr"]);
		shell.files.write("/workspace/many", new TextEncoder().encode("a\n".repeat(count)));
		expect(await shell.run(line, { timeoutMs: 60_000 })).toMatchObject({ ok: true, outcome: { stdout, exitCode: 0 } });
	});
});

describe("a grep that takes its time", () => {
	const noise = "ababbabaabbbabaabab ".repeat(8).concat("\n").repeat(10_000);

	it.each(["grep -cE 'a[ab]{20}[cd]'", "grep -oE 'b(ab?){5}' | wc -l"])(
		"lets others in meanwhile: %s",
		async (line) => {
			const shell = openShell(["grep", "wc"]);
			shell.files.write("/workspace/noise", new TextEncoder().encode(noise));
			let turns = 0;
			const others = setInterval(() => turns++, 0);
			expect(await shell.run(line.replace(/(?= \||$)/, " noise"), { timeoutMs: 60_000 })).toMatchObject({ ok: true });
			clearInterval(others);
			expect(turns).toBeGreaterThan(10);
		},
	);

	it("is ended by whoever asked for it", async () => {
		const shell = openShell(["grep"]);
		shell.files.write("/workspace/noise", new TextEncoder().encode(noise));
		const controller = new AbortController();
		const running = shell.run("grep -cE '(a|b|ab|ba){30}c' noise noise noise noise", { signal: controller.signal });
		setTimeout(() => controller.abort(), 0);
		expect(await running).toMatchObject({ ok: false, code: "cancelled" });
	});

	it("gives up a line that is too long for the pattern, and says so", async () => {
		const shell = openShell(["grep"]);
		shell.files.write("/workspace/line", new TextEncoder().encode(`_${"a".repeat(200_000)}`));
		expect(await shell.run("grep -wE 'a+' line; grep -c a line", { timeoutMs: 60_000 })).toMatchObject({
			ok: true,
			outcome: { stdout: "1\n", stderr: expect.stringContaining("too long for this pattern") },
		});
	});
});

describe("a command line without end", () => {
	it.each(endless.map((line) => [line]))("is ended at a limit: %s", async (line) => {
		const before = performance.now();
		const reply = await openShell(allCommands).run(line, { timeoutMs: 5_000 });
		expect(reply).toMatchObject({ ok: false, code: expect.stringMatching(/^(timeout|too_large)$/) });
		expect(reply.ok || reply.message).toMatch(/limit|longer/);
		expect(performance.now() - before).toBeLessThan(15_000);
	});

	it.each(["sleep 100", "timeout 50 sleep 100", "echo 100 | xargs sleep", "while :; do sleep 0.01; done"])(
		"is ended in time: %s",
		async (line) => {
			const before = performance.now();
			expect(await openShell(allCommands).run(line, { timeoutMs: 300 })).toMatchObject({ ok: false, code: "timeout" });
			expect(performance.now() - before).toBeLessThan(2_000);
		},
	);

	it("changes nothing after it was ended", async () => {
		const shell = openShell(allCommands);
		await shell.run("while :; do echo x >> grows.txt; done", { timeoutMs: 200 });
		const size = shell.files.stat("/workspace/grows.txt").size;
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(shell.files.stat("/workspace/grows.txt").size).toBe(size);
	});

	it.each(["sleep 100", "while :; do cat a.txt > b.txt; done"])(
		"is ended by whoever asked for it: %s",
		async (line) => {
			const controller = new AbortController();
			const running = openShell(allCommands).run(line, { signal: controller.signal });
			setTimeout(() => controller.abort(), 100);
			const before = performance.now();
			expect(await running).toMatchObject({ ok: false, code: "cancelled" });
			expect(performance.now() - before).toBeLessThan(1_500);
		},
	);

	it("does not begin when it was given up before", async () => {
		const reply = await openShell(allCommands).run("echo x", { signal: AbortSignal.abort() });
		expect(reply).toMatchObject({ ok: false, code: "cancelled" });
	});
});

describe("what a command line may do", () => {
	it.each([
		["seq 50000 | sort -rn | head -1", "50000\n"],
		["for i in $(seq 2000); do echo $i; done | wc -l", "2000\n"],
		["i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done; echo $i", "5000\n"],
		["seq 100000 | awk '{s+=$1} END{print s}'", "5000050000\n"],
		["seq 1000 | xargs -n1 echo | tail -1", "1000\n"],
	])("is enough for %s", async (line, stdout) => {
		expect(await openShell(allCommands).run(line)).toMatchObject({ ok: true, outcome: { stdout } });
	});
});
