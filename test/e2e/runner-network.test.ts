import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually";
import { apiOf, type Call } from "../support/node/api-client";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";
import { type AgentWorkspace, findRunning, makeAgent } from "../support/node/runner-calls";
import { makeRunner, type RunnerProcess } from "../support/node/runner-process";
import { secureSite } from "../support/node/secure-site";

let runner: RunnerProcess;
let home: Home;
let oryx: OryxProcess;
let call: Call;
let agent: AgentWorkspace;
let site: Awaited<ReturnType<typeof secureSite>>;
let never: Server;

beforeAll(async () => {
	site = await secureSite({ repositories: tmpdir() });
	never = createServer(() => {});
	await new Promise<void>((listening) => never.listen(0, "127.0.0.1", listening));
	runner = await makeRunner();
	await runner.start();
	home = await makeHome({ ORYX_RUNNER: "off", ORYX_RUNNER_URL: runner.url, ORYX_RUNNER_TOKEN: runner.token });
	oryx = await startOryx(home);
	call = apiOf(home);
	for (const value of ["interpreter:python3", "interpreter:git"]) await list("SHELL", value);
	for (const value of [`localhost:${site.port}`, `127.0.0.1:${portOf(never)}`]) await list("HTTP", value);
	agent = await makeAgent(home, call, "traveller");
	await agent.put("trusted.pem", site.certificate);
	await agent.put("get.py", script);
}, 120_000);

afterAll(async () => {
	await oryx?.kill();
	home?.discard();
	await runner?.discard();
	site?.close();
	never?.closeAllConnections();
	never?.close();
});

const portOf = (server: Server) => (server.address() as { port: number }).port;
const list = (category: string, value: string) => call("POST", `/sandbox/whitelist/${category}`, { value });

async function setNetwork(rule: "allow" | "deny" | "supervised"): Promise<void> {
	const policy = await call<object>("GET", "/policy");
	await call("PUT", "/policy", { ...policy, tools: { interpreter: "allow", program_network: rule } });
}

/** Asks for an address as programs in Python do. */
const script = `import ssl, sys, urllib.request
try:
    trusting = ssl.create_default_context(cafile="trusted.pem")
    print(urllib.request.urlopen(sys.argv[1], context=trusting).read().decode())
except OSError as error:
    print("failed:", error)
`;

interface Row {
	readonly resultJson: string;
}

describe("programs with a network, from end to end", { timeout: 60_000 }, () => {
	it("reach listed hosts alone, and the audit says which", async () => {
		await setNetwork("allow");
		const answer = await agent.shell(`python3 get.py ${site.url}/hello; python3 get.py https://example.com/`);
		expect(answer.content).toMatch(/--- stdout ---\nhello\nfailed: .*403 Forbidden/);
		expect(answer.content).toContain(
			'runner: example.com is not on the HTTP list. To allow it: POST /api/v1/sandbox/whitelist/HTTP {"value":"example.com"}.',
		);
		const hosts = [
			{ host: `localhost:${site.port}`, verdict: "allowed", bytes: expect.any(Number) },
			{ host: "example.com", verdict: "host_not_allowed", bytes: 0 },
		];
		expect(answer.meta).toMatchObject({ exitCode: 0, egress: hosts });
		const { items } = await call<{ items: Row[] }>("GET", "/tool-invocations?limit=1");
		expect(JSON.parse(items[0]?.resultJson ?? "{}")).toMatchObject({ meta: { egress: hosts } });
	});

	it("may be git, which trusts no certificate of ours and is held to the list as well", async () => {
		await setNetwork("allow");
		const line = (url: string) => agent.shell(`git ls-remote ${url}/git/x.git`);
		const reached = await line(site.url);
		expect(reached.content).toMatch(/certificate/);
		expect(reached.meta).toMatchObject({ egress: [{ host: `localhost:${site.port}`, verdict: "allowed" }] });
		expect((await line("https://example.com")).content).toContain("CONNECT tunnel failed, response 403");
		expect((await line(`http://localhost:${site.port}`)).content).toContain("transport 'http' not allowed");
	});

	it.each(["deny", "supervised"] as const)("have none where the policy says %s", async (rule) => {
		await setNetwork(rule);
		const count = "python3 -c 'import os; print(len(os.environ))'";
		const answer = await agent.shell(`python3 get.py ${site.url}/hello; ${count}`);
		expect(answer.content).toMatch(/--- stdout ---\nfailed: .*\n9$/);
		expect(answer.meta).not.toHaveProperty("egress");
		expect((await agent.shell(`git ls-remote ${site.url}/git/x.git`)).content).toContain(
			"transport 'https' not allowed",
		);
	});

	it("are not run again when the runner is lost: what they did is unknown", async () => {
		await setNetwork("allow");
		const mark = randomUUID();
		const asked = agent.shell(`python3 get.py http://127.0.0.1:${portOf(never)}/${mark}`);
		await new Promise((resolve) => never.once("request", resolve));
		await runner.kill();
		const answer = await asked;
		expect(answer).toMatchObject({ success: false, code: "outcome_unknown", retryable: false });
		expect(answer.content).toContain("had the network");
		await eventually(
			() => findRunning(mark),
			(pids) => pids.length === 0,
		);
		await runner.start();
		await eventually(
			() => agent.shell(`python3 get.py ${site.url}/hello`),
			({ content }) => content.includes("hello"),
		);
	});
});
