import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import own from "../fixtures/gates/hostile.json" with { type: "json" };
import { type HostileCase, hostileCase, judgeHostile } from "./judge-hostile";

const corpusFile = path.resolve(import.meta.dirname, "../../../shared/data/hostile-inputs.json");

/** Cases of the corpus that no gate of this layer decides, and who does. */
const decidedElsewhere: Readonly<Record<string, string>> = {
	"ssrf-56": "needs the runner's resolver: a Worker cannot pin an address",
	"ssrf-58": "needs the runner's resolver: a Worker sees no addresses",
	"secrets-01": "needs the shell and its child environment",
	"secrets-02": "needs the shell and its child environment",
	"secrets-04": "test/lib/redact.test.ts",
	"secrets-05": "the write-only configuration routes",
	"secrets-07": "test/lib/seal.test.ts",
	"secrets-08": "test/lib/token.test.ts",
};

async function expectAnswer(one: HostileCase): Promise<void> {
	const outcome = await judgeHostile(one);
	expect(outcome).toMatchObject({ decision: one.expect.decision, reason: one.expect.reason });
	const hosts = outcome.sent.map(({ url }) => new URL(url).hostname);
	if (one.expect.canonical_host) expect(hosts).toEqual([one.expect.canonical_host]);
	if (one.input.server_reply === undefined && one.expect.decision !== "allow") expect(hosts).toEqual([]);
	if (one.expect.reason.startsWith("redirect_")) expect(hosts).toHaveLength(1);
	if (one.expect.reason === "truncated" || one.expect.reason === "timeout") expect(outcome.cancelled).toBe(true);
}

describe("our own hostile requests", () => {
	it.each(z.array(hostileCase).parse(own))("$id: $expect.decision, $expect.reason", expectAnswer);
});

describe.runIf(existsSync(corpusFile))("the shared corpus of hostile requests", () => {
	const all = existsSync(corpusFile)
		? z
				.array(z.looseObject({ id: z.string(), category: z.string() }))
				.parse(JSON.parse(readFileSync(corpusFile, "utf8")))
		: [];
	const concerned = all.filter(({ category }) => ["ssrf", "http", "secrets"].includes(category));
	const judged = concerned
		.filter(({ id }) => !Object.hasOwn(decidedElsewhere, id))
		.map((one) => hostileCase.parse(one));

	it.each(judged)("$id: $expect.decision, $expect.reason", expectAnswer);

	it("leaves out only what is decided elsewhere", () => {
		expect(concerned.length - judged.length).toBe(Object.keys(decidedElsewhere).length);
		expect(judged.length).toBeGreaterThan(40);
	});
});
