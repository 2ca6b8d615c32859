import { describe, expect, it } from "vitest";
import { programPolicy } from "../../../src/gates/program-policy";
import { type PolicyAction, policyDocument } from "../../../src/shared/policy";
import type { NetworkOutcome } from "../../../src/shared/runner-network";
import type { ProgramRequest } from "../../../src/shared/runner-programs";
import { workspaceWorld } from "../../support/node/workspace-world";

interface Over {
	readonly network?: NetworkOutcome;
	readonly isLost?: boolean;
	readonly rule?: PolicyAction | undefined;
}

/** A runner that only notes what it is asked for, and a policy with this rule for the network. */
async function world({ network, isLost = false, rule }: Over) {
	const requests: ProgramRequest[] = [];
	const made = await workspaceWorld({
		whitelist: { SHELL: ["interpreter:git", "nproc"], HTTP: ["example.com", "*.example.org"] },
		policy: { tools: { interpreter: "allow", ...(rule && { program_network: rule }) } },
		runner: {
			async fetch(request) {
				const [header = ""] = (await request.text()).split("\n");
				requests.push(JSON.parse(header));
				if (isLost) return new Response('{"type":"started"}\n');
				const measured = { durationMs: 1, cpuMs: 1, peakMemoryBytes: 1, droppedStdoutBytes: 0, droppedStderrBytes: 0 };
				const end = { exitCode: 0, ...measured, backend: "bubblewrap", ...(network && { network }) };
				const changes = { revision: "1", removed: [], changed: [], skipped: [] };
				return new Response(`${JSON.stringify({ type: "ended", end, changes })}\n`);
			},
		},
	});
	return { ...made, requests };
}

describe("the network of a program", () => {
	it.each([undefined, "deny", "supervised"] as const)("is not opened by a policy of %s", async (rule) => {
		const { call, requests } = await world({ rule });
		const result = await call("shell", { command: "git status" });
		expect(result).toMatchObject({ success: true });
		expect(result.meta).not.toHaveProperty("egress");
		expect(requests[0]).not.toHaveProperty("network");
		expect(requests[0]?.args.join(" ")).not.toMatch(/proxy|https/);
	});

	it("is denied unless the policy names it, whatever it says by default", () => {
		const policy = policyDocument.parse({ default: "allow", groups: { shell: "allow" } });
		expect(programPolicy(policy)).toEqual({ interpreters: "supervised", programNetwork: "deny" });
	});

	it("is as wide as the HTTP list when the policy allows it", async () => {
		const { call, requests } = await world({ rule: "allow" });
		await call("shell", { command: "nproc" });
		expect(requests[0]?.network).toEqual({ entries: ["example.com", "*.example.org"], allowLoopback: false });
	});

	it("lets git speak https and nothing else, by the proxy", async () => {
		const { call, requests } = await world({ rule: "allow" });
		await call("git_operations", { operation: "pull" });
		const settings = requests[0]?.args.filter((_, at, all) => all[at - 1] === "-c") ?? [];
		const ofNetwork = settings.filter((setting) => /^(protocol|http)\./.test(setting));
		expect(ofNetwork).toEqual([
			"protocol.allow=never",
			"protocol.ext.allow=never",
			"protocol.https.allow=always",
			"http.proxy=http://127.0.0.1:3128",
		]);
	});

	it("is told of in the result and so in the audit, with a sentence for each refusal", async () => {
		const hosts = [
			{ host: "example.com", verdict: "allowed", bytes: 4_096 },
			{ host: "example.net", verdict: "host_not_allowed", bytes: 0 },
		];
		const { call, rows } = await world({ rule: "allow", network: { hosts, refusals: ["example.net is not listed."] } });
		const result = await call("shell", { command: "nproc | nproc" });
		expect(result).toMatchObject({ success: true, meta: { sandbox: "bubblewrap" } });
		expect(result.meta?.egress).toEqual([{ ...hosts[0], bytes: 8_192 }, hosts[1]]);
		expect(result).toMatchObject({ content: expect.stringContaining("runner: example.net is not listed.\n") });
		expect(JSON.parse(rows[0]?.resultJson ?? "")).toMatchObject({ meta: { egress: [{ bytes: 8_192 }, hosts[1]] } });
	});

	it("says why there is none where the sandbox cannot hold a program to the proxy", async () => {
		const { said } = await world({ rule: "allow", network: { unavailable: "Landlock alone cannot." } });
		expect(await said("shell", { command: "nproc" })).toContain("runner: nproc had no network. Landlock alone cannot.");
	});
});

describe("a runner that is lost", () => {
	it("may have let a program with a network act, so that the call is not run again", async () => {
		const { call, requests } = await world({ rule: "allow", isLost: true });
		const lost = await call("shell", { command: "nproc" }, "twice");
		expect(lost).toMatchObject({ success: false, code: "outcome_unknown", retryable: false });
		const again = await call("shell", { command: "nproc" }, "twice");
		expect(again).toMatchObject({ success: false, code: "interrupted", retryable: false });
		expect(requests).toHaveLength(1);
	});

	it("has changed nothing where there was no network, so that the call may be run again", async () => {
		const { call, requests } = await world({ isLost: true });
		for (const _ of [1, 2]) {
			const lost = await call("shell", { command: "nproc" }, "twice");
			expect(lost).toMatchObject({ success: false, code: "unavailable", retryable: true });
		}
		expect(requests).toHaveLength(2);
	});
});
