import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import own from "../fixtures/gates/hostile-paths.json" with { type: "json" };
import { openFiles } from "../support/node/open-files";
import { type HostilePath, hostilePath } from "./hostile-path";
import { judgeHostilePath } from "./judge-hostile-path";

const corpusFile = path.resolve(import.meta.dirname, "../../../shared/data/hostile-inputs.json");

/** Cases of the corpus that cannot be set up, or that something else decides. */
const decidedElsewhere: Readonly<Record<string, string>> = {
	"path-10": "there are no hard links: see below, and the archives that hold one",
	"path-23": "there are no FIFOs: see below, and the archives that hold one",
	"path-31": "needs the runner, which has git",
};

function expectAnswer(one: HostilePath): void {
	const { decision, reason, declared, hasChanged, leaked } = judgeHostilePath(one);
	expect({ decision, reason }).toEqual({ decision: one.expect.decision, reason: one.expect.reason });
	expect(["ok", reason]).toContain(declared);
	expect(leaked).toBe(false);
	if (one.expect.decision !== "allow") expect(hasChanged).toBe(false);
}

// No case races: check and use are one synchronous call, and an object runs one at a time.
describe("our own hostile paths", () => {
	it.each(z.array(hostilePath).parse(own))("$id: $expect.decision, $expect.reason", expectAnswer);

	it("need no case for hard links and special files, which nothing can make", () => {
		const makers = Object.keys(openFiles()).filter((name) => /link|mk|fifo|node|socket|device/i.test(name));
		expect(makers.toSorted()).toEqual(["readLink", "symlink", "unlink"]);
	});
});

describe.runIf(existsSync(corpusFile))("the shared corpus of hostile paths", () => {
	const all = existsSync(corpusFile)
		? z
				.array(z.looseObject({ id: z.string(), category: z.string() }))
				.parse(JSON.parse(readFileSync(corpusFile, "utf8")))
		: [];
	const concerned = all.filter(({ category }) => category === "path");
	const judged = concerned
		.filter(({ id }) => !Object.hasOwn(decidedElsewhere, id))
		.map((one) => hostilePath.parse(one));

	it.each(judged)("$id: $expect.decision, $expect.reason", expectAnswer);

	it("leaves out only what cannot be or is decided elsewhere", () => {
		expect(concerned.length - judged.length).toBe(Object.keys(decidedElsewhere).length);
		expect(judged.length).toBeGreaterThan(15);
	});
});
