import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gitSafeguards, gitThroughProxy } from "../../../src/gates/git";
import { proxyAddress } from "../../../src/shared/runner-network";
import {
	answersOf,
	type Driver,
	isRoot,
	layOutDriver,
	type Order,
	type Outcome,
	users,
} from "../../support/node/sandbox-orders";
import { secureSite } from "../../support/node/secure-site";

let driver: Driver;
let folder: string;
let listed: Awaited<ReturnType<typeof secureSite>>;
let unlisted: typeof listed;

beforeAll(async () => {
	driver = await layOutDriver();
	folder = mkdtempSync(path.join(tmpdir(), "oryx-repositories-"));
	chmodSync(folder, 0o755);
	const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
	git("init", "-q", "-b", "main", "work");
	const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
	git("-C", "work", ...who, "commit", "-q", "--allow-empty", "-m", "First tide");
	git("clone", "-q", "--bare", "work", "tides.git");
	listed = await secureSite({ repositories: folder });
	unlisted = await secureSite({ repositories: folder });
});
afterAll(() => {
	driver.remove();
	listed?.close();
	unlisted?.close();
	rmSync(folder, { recursive: true, force: true });
});

const python = (id: string, code: string): Order => ({ id, program: "python3", args: ["-c", `${trust()}\n${code}`] });

/** What asks the listed site, whose certificate it trusts, by Python's own way of finding a proxy. */
const trust = () => `
import socket, ssl, urllib.error, urllib.request
trusting = ssl.create_default_context(cadata="""${listed.certificate}${unlisted.certificate}""")
def get(url, data=None):
    try:
        return urllib.request.urlopen(url, data, context=trusting, timeout=10).read().decode()
    except OSError as error:
        return str(error)
def attempt(what, act):
    try:
        act()
        print(what, "worked")
    except OSError as error:
        print(what, "failed")
`;

const git = (...args: string[]): string[] => [...gitSafeguards, ...gitThroughProxy(proxyAddress), ...args];

function orders(): Order[] {
	const { url, port, certificate } = listed;
	const quoted = (args: readonly string[]) => args.map((arg) => `'${arg}'`).join(" ");
	const trusted = ["-c", "http.sslCAInfo=certificate.pem"];
	const lsRemote = quoted([...git(...trusted), "ls-remote", `${url}/git/tides.git`]);
	const fetch = quoted([...git(...trusted), "fetch", "-q", `${url}/git/tides.git`, "main"]);
	const elsewhere = quoted([...git(...trusted), "ls-remote", `${unlisted.url}/git/tides.git`]);
	const direct = (address: string, atPort: number | string) =>
		`attempt("tcp ${address}", lambda: socket.create_connection(("${address}", ${atPort}), 2))`;
	const list: Order[] = [
		{ id: "environment", program: "env", args: [] },
		python("get", `print(get("${url}/hello"))`),
		python("unlisted", `print(get("${unlisted.url}/hello"))`),
		python("redirect", `print(get("${url}/to?${encodeURIComponent(`${unlisted.url}/hello`)}"))`),
		python("upload", `print(get("${url}/upload", b"x" * 20_000_000))`),
		python(
			"many",
			`
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool: print(sorted(set(pool.map(lambda _: get("${url}/hello"), range(150)))))
`,
		),
		python(
			"direct",
			`
${direct("127.0.0.1", port)}
${direct("127.0.0.1", "$TCP_PORT")}
${direct("192.0.2.1", 443)}
${direct("::1", port)}
attempt("name", lambda: socket.getaddrinfo("example.com", 443))
for port in [$UDP_PORT, 53, 3128]:
    attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", port)))
attempt("udp", lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b"x", ("::1", 53)))
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt("vsock", lambda: socket.socket(socket.AF_VSOCK))
attempt("sctp", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_SCTP))
attempt("mptcp", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262))
`,
		),
		python(
			"sockets",
			`
for path in ["$OWN_PROXY", "$OTHER_PROXY", "$SOCKET"]:
    attempt("unix", lambda: socket.socket(socket.AF_UNIX).connect(path))
    attempt("list", lambda: __import__("os").listdir(__import__("os").path.dirname(path)))
`,
		),
		{
			id: "own",
			program: "bash",
			args: ["-c", "ls /proc/self/fd; ip link 2>/dev/null; cat /proc/net/dev | tail -n +3 | cut -d: -f1"],
		},
		{
			id: "left",
			program: "bash",
			args: ["-c", "setsid bash -c 'exec 3<>/dev/tcp/127.0.0.1/3128; sleep 600; : $TOKEN' & sleep 0.3"],
		},
		{
			id: "git",
			program: "bash",
			args: [
				"-c",
				`echo "$1" > certificate.pem; git ${lsRemote} | cut -f2; git init -q r && cd r && cp ../certificate.pem . && git ${fetch} && git log --format=%s FETCH_HEAD; git ${elsewhere}`,
				"bash",
				certificate,
			],
		},
	];
	return list.map((order) => ({ ...order, reach: { entries: [`localhost:${port}`], allowLoopback: true } }));
}

const backends = [
	{ backend: "bubblewrap", users },
	{ backend: "namespaces", users },
	// Firejail asks for a list of its users, on which nobody is.
	{ backend: "firejail", users: isRoot ? (["root"] as const) : [] },
] as const;

for (const { backend, users: as } of backends) {
	describe.each(as)(`a program with a network in ${backend} as %s`, (user) => {
		let outcomes: ReadonlyMap<string, Outcome>;
		beforeAll(async () => {
			const answers = await answersOf(driver.start(user, { backend, launcher: driver.launcher, run: orders() }));
			expect(answers.report).toMatchObject({ backend, failed: [] });
			expect(answers.report.egressProblem).toBeUndefined();
			outcomes = answers.outcomes;
		}, 90_000);
		const outcome = (id: string): Outcome => {
			const found = outcomes.get(id);
			if (!found?.end) throw new Error(`Nothing of ${id}: ${JSON.stringify(found)}`);
			return found;
		};
		const host = () => `localhost:${listed.port}`;
		const elsewhere = () => ({ host: `localhost:${unlisted.port}`, verdict: "port_not_allowed", bytes: 0 });

		it("is told by its variables where its proxy is", () => {
			const lines = (outcome("environment").stdout ?? "").split("\n").filter((line) => /proxy/i.test(line));
			const names = ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "http_proxy", "https_proxy"];
			expect(lines.sort()).toEqual([...names.map((name) => `${name}=${proxyAddress}`), "NO_PROXY="].sort());
		});

		it("reaches a listed host by https, which is told with its bytes", () => {
			const { stdout, network } = outcome("get");
			expect(stdout).toBe("hello\n");
			expect(network?.hosts).toEqual([{ host: host(), verdict: "allowed", bytes: expect.any(Number) }]);
			expect(network?.hosts[0]?.bytes).toBeGreaterThan(500);
		});

		it("reaches no other host, which is told with how to allow it", () => {
			const { stdout, network } = outcome("unlisted");
			expect(stdout).toContain("403 Forbidden");
			expect(network?.hosts).toEqual([elsewhere()]);
			expect(network?.refusals.join()).toContain(`{"value":"localhost:${unlisted.port}"}`);
		});

		it("follows no redirect to another host", () => {
			const { stdout, network } = outcome("redirect");
			expect(stdout).toContain("403 Forbidden");
			expect(network?.hosts).toMatchObject([{ host: host(), verdict: "allowed" }, elsewhere()]);
			expect(unlisted.seen).toEqual([]);
		});

		it("sends large bodies and opens many connections", () => {
			expect(outcome("upload").stdout).toBe("20000000\n");
			expect(outcome("upload").network?.hosts[0]?.bytes).toBeGreaterThan(20_000_000);
			expect(outcome("many").stdout).toBe("['hello']\n");
		});

		it("gets nowhere past its proxy", () => {
			const { stdout, reached } = outcome("direct");
			const lines = stdout?.trim().split("\n") ?? [];
			expect(lines).toHaveLength(14);
			expect(lines.filter((line) => !line.endsWith(" failed"))).toEqual([]);
			expect(reached).toEqual([]);
		});

		it("sees no socket of a proxy, neither its own nor another's", () => {
			const { stdout, reached } = outcome("sockets");
			expect(stdout).not.toContain("unix worked");
			expect(reached).toEqual([]);
		});

		it("has loopback alone, and no descriptor more", () => {
			expect(outcome("own").stdout).toMatch(/^0\n1\n2\n3\n[\s\S]*lo\n$/);
			expect(outcome("own").stdout).not.toMatch(/eth|wlan|ens/);
		});

		it("leaves nothing of it", () => {
			for (const { network, left } of outcomes.values()) expect([network?.socketsLeft, left]).toEqual([[], []]);
		});

		it("may be git, over https alone", () => {
			const { stdout, stderr, network } = outcome("git");
			expect(stdout, stderr).toBe("HEAD\nrefs/heads/main\nFirst tide\n");
			expect(stderr).toMatch(/CONNECT tunnel failed, response 403/);
			expect(network?.hosts).toMatchObject([{ host: host(), verdict: "allowed" }, elsewhere()]);
		});
	});
}

describe("a sandbox that cannot hold a program to a proxy", () => {
	it.each(["landlock", "none"] as const)("says so: %s", async (backend) => {
		const orders = { backend, launcher: driver.launcher, required: false, run: [] };
		const { report } = await answersOf(driver.start(users[0], orders));
		expect(report.egressProblem).toMatch(/hold/);
	});

	it("is bubblewrap without the launcher", async () => {
		const orders = { backend: "bubblewrap", launcher: driver.missing, run: [] } as const;
		const { report } = await answersOf(driver.start(users[0], orders));
		expect(report).toMatchObject({ backend: "bubblewrap", egressProblem: expect.stringContaining("launcher") });
	});
});
