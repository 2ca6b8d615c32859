import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/free-port";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";
import { readmeBlock } from "../support/node/readme";
import { root } from "../support/node/source";

let home: Home;
let oryx: OryxProcess;

beforeAll(async () => {
	home = await makeHome();
	oryx = await startOryx(home);
}, 120_000);

afterAll(async () => {
	await oryx?.kill();
	home?.discard();
});

/** Pastes into bash, as a reader does; answers what came to the screen. */
async function paste(block: string): Promise<string> {
	const environment = { ...process.env, ...home.environment, SITE_PORT: String(await freePort()) };
	const bash = spawn("bash", ["-e"], { cwd: root, env: environment, stdio: ["pipe", "pipe", "pipe"] });
	bash.stdin.end(block);
	const [screen, errors] = await Promise.all([text(bash.stdout), text(bash.stderr)]);
	expect(errors).toBe("");
	return screen;
}

describe("the quick start of the README", () => {
	it("reads a page, tells the group and shows both calls", async () => {
		const screen = await paste(readmeBlock("quick start"));
		const answers = screen.split("\n").filter((line) => line.startsWith("{"));
		const [, , , turn, invocations] = answers.map((line) => JSON.parse(line));

		expect(screen).toMatch(/^received .*High water at 14:05\./m);
		expect(turn.status).toBe("completed");
		expect(turn.toolCalls.map((call: { name: string }) => call.name)).toEqual(["fetch_webpage", "notify"]);
		expect(turn.toolCalls[0].result.content).toContain("High water at 14:05.");
		expect(invocations.items.map((row: { toolName: string; success: boolean }) => [row.toolName, row.success])).toEqual(
			[
				["notify", true],
				["fetch_webpage", true],
			],
		);
	});
});
