import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxBackend } from "../../../src/shared/runner";
import { answersOf, type Driver, isRoot, layOutDriver, type Order, users } from "../../support/node/sandbox-orders";
import { root } from "../../support/node/source";
import { attempts } from "./attempts";

let driver: Driver;
let dockerLike: string;
let nothing: string;
beforeAll(async () => {
	driver = await layOutDriver();
	dockerLike = path.join(driver.folder, "docker-seccomp");
	execFileSync("cc", ["-o", dockerLike, path.join(root, "test/fixtures/runner/docker-seccomp.c")]);
	nothing = path.join(driver.folder, "nothing");
	mkdirSync(nothing);
});
afterAll(() => driver.remove());

const hello: Order = { id: "hello", program: "sh", args: ["-c", "echo hello"] };
const inBubblewrap = [
	"bwrap",
	"--bind",
	"/",
	"/",
	"--dev-bind",
	"/dev",
	"/dev",
	"--proc",
	"/proc",
	"--die-with-parent",
];
const withoutNamespaces = [...inBubblewrap, "--unshare-user", "--disable-userns"];

const ask = (
	backend: "auto" | SandboxBackend,
	{
		user = users[0],
		required = true,
		launcher = driver.launcher,
		run = [hello] as readonly Order[],
		...options
	} = {} as {
		user?: (typeof users)[number];
		required?: boolean;
		launcher?: string;
		run?: readonly Order[];
	} & Parameters<Driver["start"]>[2],
) => answersOf(driver.start(user, { backend, required, launcher, run }, options));

const reasonOf = (report: { failed: readonly { backend: string; reason: string }[] }, backend: SandboxBackend) =>
	report.failed.find((failed) => failed.backend === backend)?.reason;

describe.each(users)("the choice of a sandbox as %s", (user) => {
	it("is bubblewrap with Landlock and filters where everything works", async () => {
		const { report, outcomes } = await ask("auto", { user });
		expect(report).toMatchObject({ backend: "bubblewrap", layers: ["bubblewrap", "landlock", "seccomp"], failed: [] });
		expect(outcomes.get("hello")).toMatchObject({ stdout: "hello\n", end: { exitCode: 0, backend: "bubblewrap" } });
	});

	it("is Landlock inside a bubblewrap that lets no more namespaces be made, and holds", async () => {
		// Root of a namespace with one user has no user to give, and root's processes are not counted.
		const run = attempts.filter(({ id }) => user !== "root" || id !== "sandbox-08");
		const { report, outcomes } = await ask("auto", { user, wrapper: withoutNamespaces, run });
		expect(report.backend).toBe("landlock");
		expect(reasonOf(report, "bubblewrap")).toContain("ENOSPC");
		expect(reasonOf(report, "namespaces")).toContain("No space left on device");
		expect(report.unsupportedLimits.map(({ limit }) => limit).includes("maxSubprocesses")).toBe(user === "root");
		for (const { id, heldIn } of run) heldIn(outcomes.get(id) ?? { id, left: [] });
	});

	it("is Landlock under docker's default filter, and holds", async () => {
		const { report, outcomes } = await ask("auto", { user, outer: [dockerLike], run: attempts });
		expect(report.backend).toBe("landlock");
		expect(reasonOf(report, "bubblewrap")).toMatch(/No permissions to create (a )?new namespace/);
		expect(reasonOf(report, "namespaces")).toContain("Operation not permitted");
		for (const { id, heldIn } of attempts) heldIn(outcomes.get(id) ?? { id, left: [] });
	});

	it("is none where nothing holds, the operator lets it, and says what failed", async () => {
		const searchPath = nothing;
		const { report, outcomes } = await ask("auto", { user, searchPath, launcher: driver.missing, required: false });
		expect(report.backend).toBe("none");
		expect(report.failed.map(({ backend }) => backend)).toEqual([
			"bubblewrap",
			"namespaces",
			"landlock",
			"docker",
			"firejail",
		]);
		expect(outcomes.get("hello")).toMatchObject({ stdout: "hello\n", end: { backend: "none" } });
	});

	it("is refused where nothing holds and a sandbox is required (sandbox-14)", async () => {
		const { report, outcomes } = await ask("auto", { user, searchPath: nothing, launcher: driver.missing });
		expect(report.refusal).toContain("There is no program bwrap");
		expect(outcomes.get("hello")).toMatchObject({ error: "Refusal", message: report.refusal });
	});

	it("is refused when none is asked for and a sandbox is required", async () => {
		const { report, outcomes } = await ask("none", { user });
		expect(report.refusal).toBe("The runner runs nothing without a sandbox, and none was asked for.");
		expect(outcomes.get("hello")?.error).toBe("Refusal");
	});

	it("is refused when the one that was asked for does not hold, whatever others do", async () => {
		const { report, outcomes } = await ask("docker", { user, required: false });
		expect(report.refusal).toContain("docker: ");
		expect(outcomes.get("hello")?.error).toBe("Refusal");
	});

	it("finds out that firejail confines nothing inside another sandbox (sandbox-17)", async () => {
		const { report, outcomes } = await ask("firejail", { user, wrapper: [...inBubblewrap, "--unshare-all"] });
		expect(reasonOf(report, "firejail")).toBeTruthy();
		expect(outcomes.get("hello")?.error).toBe("Refusal");
	});

	it("shows with none what the others hold, so that the attempts are real", async () => {
		const { outcomes } = await ask("none", { user, required: false, run: attempts });
		const held = attempts.filter(({ id, heldIn }) => {
			try {
				heldIn(outcomes.get(id) ?? { id, left: [] });
				return true;
			} catch {
				return false;
			}
		});
		const unheld = attempts.filter((attempt) => !held.includes(attempt)).map(({ id }) => id);
		// As root each place has a user of its own, who cannot read the runner's environment.
		expect(unheld).toEqual([...(user === "root" ? [] : ["sandbox-02"]), "sandbox-04", "sandbox-05"]);
	});
});

describe("firejail that may gain no privileges (sandbox-17)", () => {
	it.each([
		{ user: "nobody", wrapper: ["setpriv", "--no-new-privs"] },
		...(isRoot ? [{ user: "root", wrapper: ["setpriv", "--bounding-set", "-all"] } as const] : []),
	] as const)("fails its trial as $user under $wrapper", async ({ user, wrapper }) => {
		const { report, outcomes } = await ask("firejail", { user, wrapper });
		expect(report.refusal).toContain("firejail: ");
		expect(outcomes.get("hello")?.error).toBe("Refusal");
	});
});
