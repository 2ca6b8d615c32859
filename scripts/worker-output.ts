import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** wrangler's own lines: one per request, and what it says while it builds. The Worker logs its requests itself. */
const isNoise = (line: string) => line.trim() === "" || /^(\[wrangler:info\]|⎔ |🪵 )/u.test(line);

/** Holds back what a starting process says until `release` or until it tells of an error, and passes it on from there. */
export function relayOutput({ stdout, stderr }: ChildProcess): { held(): string; release(): void } {
	const heldLines: string[] = [];
	let isReleased = false;
	const relay = (line: string, to: NodeJS.WriteStream) => {
		if (isReleased) {
			if (!isNoise(line)) to.write(`${line}\n`);
			return;
		}
		heldLines.push(line);
		if (!line.includes("[ERROR]")) return;
		isReleased = true;
		to.write(`${heldLines.splice(0).join("\n")}\n`);
	};
	if (stdout) createInterface({ input: stdout }).on("line", (line) => relay(line, process.stdout));
	if (stderr) createInterface({ input: stderr }).on("line", (line) => relay(line, process.stderr));
	return {
		held: () => heldLines.splice(0).join("\n"),
		release: () => {
			isReleased = true;
		},
	};
}
