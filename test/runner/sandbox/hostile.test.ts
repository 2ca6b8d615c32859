import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import facts from "../../fixtures/runner/hostile-sandbox.json";
import { answersOf, type Driver, isRoot, layOutDriver, type Outcome, users } from "../../support/node/sandbox-orders";
import { root } from "../../support/node/source";
import { attempts } from "./attempts";

let driver: Driver;
beforeAll(async () => {
	driver = await layOutDriver();
});
afterAll(() => driver.remove());

/** The runner has a secret open on descriptor 7, as the corpus says. */
const prelude = "exec 7< <(echo secret-of-descriptor-7)";

const backends = [
	{ name: "bubblewrap", backend: "bubblewrap", hasLauncher: true, users },
	{ name: "bubblewrap without the launcher", backend: "bubblewrap", hasLauncher: false, users },
	{ name: "namespaces", backend: "namespaces", hasLauncher: true, users },
	{ name: "landlock", backend: "landlock", hasLauncher: true, users },
	// Firejail asks for a list of its users, on which nobody is.
	{ name: "firejail", backend: "firejail", hasLauncher: true, users: isRoot ? (["root"] as const) : [] },
] as const;

/** What only the launcher can hold where the runner has no user of its own for each place. */
const unheld: Readonly<Record<string, readonly string[]>> = {
	"bubblewrap without the launcher as nobody": ["sandbox-08"],
};

/** Decided before anything is run; backends.test.ts has these. */
const ofTheChoice = ["sandbox-14", "sandbox-17"];

describe("the hostile corpus", () => {
	it("has an attempt for each entry", () => {
		expect([...attempts.map(({ id }) => id), ...ofTheChoice].sort()).toEqual(facts.map(({ id }) => id).sort());
	});

	it("has every entry of the shared corpus", (context) => {
		const corpus = path.join(root, "../shared/data/hostile-inputs.json");
		if (!existsSync(corpus)) return context.skip();
		const entries = JSON.parse(readFileSync(corpus, "utf8")) as { id: string; category: string }[];
		const ids = entries.filter(({ category }) => category === "sandbox").map(({ id }) => id);
		expect(facts.map(({ id }) => id)).toEqual(ids);
	});
});

for (const { name, backend, hasLauncher, users: as } of backends) {
	for (const user of as) {
		const title = `${name} as ${user}`;
		const held = attempts.filter(({ id }) => !unheld[title]?.includes(id));
		describe(title, () => {
			let outcomes: ReadonlyMap<string, Outcome>;
			beforeAll(async () => {
				const launcher = hasLauncher ? driver.launcher : driver.missing;
				const answers = await answersOf(driver.start(user, { backend, launcher, run: held }, { prelude }));
				expect(answers.report).toMatchObject({ backend, failed: [] });
				outcomes = answers.outcomes;
			}, 60_000);

			it.each(held.map(({ id, heldIn }) => ({ id, heldIn })))("holds $id", ({ id, heldIn }) => {
				const outcome = outcomes.get(id);
				expect(outcome?.error, outcome?.message).toBeUndefined();
				heldIn(outcome ?? { id, left: [] });
			});
		});
	}
}
