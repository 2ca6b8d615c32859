import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { cassettes } from "./cassettes.expected";
import { play, type Recording } from "./play";

const folder = path.resolve(import.meta.dirname, "../../../shared/data/llm-cassettes");

interface Cassette {
	readonly status: number;
	readonly headers: Record<string, string>;
	readonly sse?: string;
	readonly body?: unknown;
	readonly bodyText?: string;
}

function recordingOf(name: string, preset: string): Recording {
	const cassette: Cassette = JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8"));
	const { status, headers, sse } = cassette;
	return { preset, status, headers, sse, body: cassette.body ?? cassette.bodyText };
}

describe.runIf(existsSync(folder))("the recorded answers of the shared corpus", () => {
	it("has an expectation for each but Ollama's native form", () => {
		const names = readdirSync(folder).flatMap((file) => (file.endsWith(".json") ? [path.basename(file, ".json")] : []));
		expect(Object.keys(cassettes).sort()).toEqual(names.filter((name) => name !== "ollama-native-tool").sort());
	});

	it.each(Object.entries(cassettes))("reads %s, whole and cut into pieces", async (name, { preset, expected }) => {
		const recording = recordingOf(name, preset);
		expect(await play(recording)).toEqual(expected);
		expect(await play(recording, 1)).toEqual(expected);
		expect(await play(recording, 7)).toEqual(expected);
	});
});
