import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/free-port";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";
import { paste } from "../support/node/paste";
import { readmeBlock } from "../support/node/readme";

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

describe("the quick start of the README", () => {
	it("reads a page, tells the group and shows both calls", async () => {
		const environment = { ...home.environment, SITE_PORT: String(await freePort()) };
		const { screen, errors } = await paste(readmeBlock("quick start"), environment);
		expect(errors).toBe("");
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
