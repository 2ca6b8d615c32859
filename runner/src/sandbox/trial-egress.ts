import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { proxyPort } from "../../../src/shared/runner-network";
import { startConfined } from "../programs/confined-child";
import type { Backend, Command } from "./backend";
import type { Host } from "./host";
import { makePlace, trialLimits } from "./trial";

const word = "found";
/** As long a name as that of a socket of the runner's own is, since a path may be too long for a socket. */
const socketName = "proxy-of-trial";

const seeker: Command = {
	program: "bash",
	args: ["-c", `exec 3<>/dev/tcp/127.0.0.1/${proxyPort} && cat <&3`],
	env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
};

/** Runs a program in the backend that looks for its proxy. Answers why it cannot have one; undefined when it found it. */
export async function tryEgress(host: Host, backend: Backend, folder: string): Promise<string | undefined> {
	if (backend.egressProblem !== undefined) return backend.egressProblem;
	const proxy = createServer((connection) => connection.on("error", () => {}).end(word));
	try {
		mkdirSync(folder, { recursive: true });
		chmodSync(folder, 0o755);
		const egress = path.join(folder, socketName);
		proxy.listen(egress);
		await once(proxy, "listening");
		const place = { ...makePlace(host, folder), egress };
		const child = await startConfined(backend, seeker, place, trialLimits);
		const timer = setTimeout(() => void child.end("SIGKILL"), trialLimits.timeoutMs);
		child.stdin.end();
		const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), child.ended]);
		clearTimeout(timer);
		return said === word ? undefined : `A program did not reach its proxy: ${complained.trim().slice(0, 500)}`;
	} catch (error) {
		return `No proxy could be set up: ${error instanceof Error ? error.message : String(error)}`;
	} finally {
		proxy.close();
		rmSync(folder, { recursive: true, force: true });
	}
}
