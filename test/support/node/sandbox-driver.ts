/**
 * Opens a sandbox as the runner would and runs a list of programs in it. A process of its own, so that tests can start it as another
 * user, inside other sandboxes, with descriptors to inherit. Reads its orders as JSON from the first argument, answers as JSON lines.
 */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
	chmodSync,
	chownSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEgress } from "../../../runner/src/egress/egress";
import { programEnvironment } from "../../../runner/src/programs/environment";
import { runProgram } from "../../../runner/src/programs/run-program";
import { openSandbox, type Place, placeUsers, type Sandbox } from "../../../runner/src/sandbox/sandbox";
import { UserIds } from "../../../runner/src/user-ids";
import type { ProgramLimits } from "../../../src/shared/runner";
import type { Order, Orders, Outcome } from "./sandbox-orders";

const users = new UserIds(placeUsers());

export const limits: ProgramLimits = {
	timeoutMs: 20_000,
	maxMemoryMb: 256,
	maxCpuPercent: 100,
	maxCpuTimeSeconds: 10,
	maxOpenFiles: 256,
	maxSubprocesses: 10,
};

const orders = JSON.parse(process.argv[2] ?? "") as Orders;
const state = mkdtempSync(path.join(orders.folder, "state-"));
chmodSync(state, 0o755);
const sockets = path.join(state, "egress");
const openEgress = createEgress({ folder: sockets });

function tell(line: object): void {
	process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Things outside that programs try to reach; each notes that it was. */
async function openOutside() {
	const reached: string[] = [];
	const udp = createSocket("udp4", () => reached.push("udp")).bind(0, "127.0.0.1");
	const tcp = createServer(() => reached.push("tcp")).listen(0, "127.0.0.1");
	const socket = path.join(state, `${randomUUID()}.sock`);
	const local = createServer(() => reached.push("unix")).listen({ path: socket, writableAll: true });
	await Promise.all([udp, tcp, local].map((server) => once(server, "listening")));
	const address = tcp.address();
	const values = {
		RUNNER_PID: String(process.pid),
		UDP_PORT: String(udp.address().port),
		TCP_PORT: String(address && typeof address === "object" ? address.port : 0),
		SOCKET: socket,
		TOKEN: randomUUID(),
	};
	return { reached, values };
}

function makePlace({ network = false, protectedPaths = [], given = [] }: Order, name: string): Place {
	const uid = users.next();
	const place = { folder: path.join(state, name, "files"), temporary: path.join(state, name, "tmp") };
	mkdirSync(path.join(state, name));
	for (const folder of [place.folder, place.temporary]) {
		mkdirSync(folder, { mode: 0o700 });
		if (uid !== undefined) chownSync(folder, uid, uid);
	}
	for (const file of given) {
		mkdirSync(path.dirname(path.join(place.folder, file)), { recursive: true });
		writeFileSync(path.join(place.folder, file), "given");
	}
	if (uid !== undefined) execFileSync("/bin/chown", ["-R", `${uid}:${uid}`, place.folder]);
	return { ...place, cwd: "", protectedPaths, uid, network };
}

/** Living processes with the token in their arguments. */
function leftBehind(token: string): string[] {
	return readdirSync("/proc").filter((pid) => {
		if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
		try {
			return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(token);
		} catch {
			return false;
		}
	});
}

async function run(sandbox: Sandbox, order: Order): Promise<Outcome> {
	const { reached, values: outside } = await openOutside();
	const egress = order.reach && (await openEgress(order.reach));
	const otherSocket = path.join(sockets, "other");
	const other = createServer(() => reached.push("the proxy of another run")).listen(otherSocket);
	await once(other, "listening");
	const values = { ...outside, OWN_PROXY: egress?.socket ?? "", OTHER_PROXY: otherSocket };
	const place = { ...makePlace(order, values.TOKEN), egress: egress?.socket };
	const fill = (text: string): string =>
		Object.entries({ ...values, FOLDER: sandbox.pathOf(place) }).reduce(
			(filled, [name, value]) => filled.replaceAll(`$${name}`, value),
			text,
		);
	const output = { stdout: "", stderr: "" };
	const stop = new AbortController();
	if (order.cancelAfterMs !== undefined) setTimeout(() => stop.abort(), order.cancelAfterMs);
	try {
		const end = await runProgram({
			sandbox,
			command: {
				program: order.program,
				args: order.args.map(fill),
				env: programEnvironment(sandbox, place),
			},
			place: { ...place, cwd: order.cwd ?? "" },
			limits: { ...limits, ...order.limits },
			stdin: order.stdinBytes ? zeros(order.stdinBytes) : undefined,
			signal: stop.signal,
			onStarted: () => tell({ started: order.id, token: values.TOKEN }),
			onOutput: (stream, bytes) => {
				output[stream] += Buffer.from(bytes).toString("latin1");
			},
			...(order.maxOutputBytes && { maxOutputBytes: order.maxOutputBytes }),
		});
		// What was sent at the very end may still be on its way.
		await sleep(20);
		const files = existsSync(place.folder) ? readdirSync(place.folder, { recursive: true }).map(String) : [];
		await egress?.[Symbol.asyncDispose]();
		const network = egress && {
			...egress.outcome(),
			socketsLeft: readdirSync(sockets).filter((name) => name !== "other"),
		};
		const { stdout, stderr } = output;
		const kept = { stdoutBytes: stdout.length, stdout: stdout.slice(0, 20_000), stderr: stderr.slice(0, 20_000) };
		return {
			id: order.id,
			end,
			...kept,
			...(network && { network }),
			reached,
			left: leftBehind(values.TOKEN),
			files: files.sort(),
		};
	} catch (error) {
		const failure = error instanceof Error ? error : new Error(String(error));
		return { id: order.id, error: failure.name, message: failure.message, left: leftBehind(values.TOKEN) };
	} finally {
		other.close();
		stop.abort();
	}
}

async function* zeros(bytes: number): AsyncGenerator<Uint8Array> {
	for (let sent = 0; sent < bytes; sent += 65_536) yield new Uint8Array(65_536);
}

const sandbox = await openSandbox({
	wanted: orders.backend,
	required: orders.required ?? true,
	stateFolder: state,
	launcher: orders.launcher,
});
tell({ report: sandbox.report });
for (const order of orders.run) tell({ outcome: await run(sandbox, order) });
rmSync(state, { recursive: true, force: true });
process.exit(0);
