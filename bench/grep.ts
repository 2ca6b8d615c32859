import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { LocalWorker } from "./local-worker.ts";
import { type Measure, median, round } from "./measure.ts";

const fileCount = 1_000;
const fileBytes = 10_000;
const warmUps = 5;
const rounds = 25;
/** Each is in one file of fifty. */
const searches = [
	{ name: "a pattern with a literal in it", pattern: "beacon[A-Z]\\w+ = [0-9]+", atMost: 8 },
	{ name: "a pattern without one", pattern: "[A-Z][a-z]+[A-Z][a-z]+\\b.*[0-9]{4}", atMost: 40 },
];

/** The grep tool over 1,000 files of 10 KB, as a call over HTTP, against GNU grep as a process on the same files. */
export async function measureGrep({ call }: LocalWorker): Promise<Measure[]> {
	const folder = mkdtempSync(path.join(tmpdir(), "oryx-grep-"));
	try {
		const execute = async (tool: string, args: object) =>
			await call<{ success: boolean; content: string }>("POST", `/api/v1/tools/${tool}/execute`, { arguments: args });
		for (let at = 0; at < fileCount; at++) {
			const name = `tides/${at % 25}/file-${at}.ts`;
			const content = sourceText(at);
			mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
			writeFileSync(path.join(folder, name), content);
			await execute("write_file", { path: name, content });
		}
		const measures: Measure[] = [];
		for (const { name, pattern, atMost } of searches) {
			const gnu: number[] = [];
			const ours: number[] = [];
			for (let at = -warmUps; at < rounds; at++) {
				const gnuMs = timedGnuGrep(pattern, folder);
				const started = performance.now();
				const { success, content } = await execute("grep", { pattern, path: "tides" });
				const ourMs = performance.now() - started;
				if (!success || content.split("\n").length !== fileCount / 50) throw new Error(`grep answered:\n${content}`);
				if (at < 0) continue;
				gnu.push(gnuMs);
				ours.push(ourMs);
			}
			measures.push({
				name: `grep over ${fileCount} files against GNU grep, ${name}`,
				value: round(median(ours) / median(gnu), 1),
				unit: "times",
				atMost,
				note: `${round(median(ours), 1)} ms against ${round(median(gnu), 1)} ms, medians of ${rounds}`,
			});
		}
		return measures;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function timedGnuGrep(pattern: string, folder: string): number {
	const started = performance.now();
	const { status } = spawnSync("grep", ["-rnE", "-e", pattern, "--", folder], { env: { ...process.env, LC_ALL: "C" } });
	if (status !== 0) throw new Error(`GNU grep ended with ${status}.`);
	return performance.now() - started;
}

const words = (
	"const let return function import export async await value index result error string number path file read write " +
	"stream list entry node item count total first last next parent child create update insert select table column row " +
	"session agent tool call message event handler request response body header status code name size offset limit"
).split(" ");

/** Lines like those of a program, the same at every run. */
function sourceText(seed: number): string {
	let state = seed + 1;
	const random = (below: number) => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return (state >>> 8) % below;
	};
	let text = seed % 50 === 0 ? "const beaconLightHeight = 1234;\n" : "";
	while (text.length < fileBytes) {
		const line = Array.from({ length: random(9) + 2 }, () => words[random(words.length)]).join(
			[" ", ".", ", "][random(3)],
		);
		text += `${"\t".repeat(random(3))}${line};\n`;
	}
	return text;
}
