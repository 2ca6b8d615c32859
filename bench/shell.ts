import type { LocalWorker } from "./local-worker.ts";
import { type Measure, median, round, takeTurns } from "./measure.ts";

const warmUps = 100;
const rounds = 400;
const command = "cat tide-table.txt | grep x | wc -l";

/** A pipeline of three commands through the shell tool against read_file of the same file, one after the other in one process. */
export async function measureShell({ call }: LocalWorker): Promise<Measure[]> {
	const execute = async (tool: string, args: object) => {
		const path = `/api/v1/tools/${tool}/execute`;
		const { success, content } = await call<Executed>("POST", path, { arguments: args });
		if (!success) throw new Error(`${tool} answered: ${content}`);
		return content;
	};
	for (const value of ["cat", "grep", "wc"]) await call("POST", "/api/v1/sandbox/whitelist/SHELL", { value });
	await execute("write_file", { path: "tide-table.txt", content: lines(200) });
	const answer = await execute("shell", { command });
	if (!answer.includes("\n100")) throw new Error(`The shell answered: ${answer}`);
	const [shell = [], read = []] = await takeTurns({ warmUps, rounds }, [
		() => execute("shell", { command }),
		() => execute("read_file", { path: "tide-table.txt" }),
	]);
	return [
		{
			name: "a pipeline of three commands through shell, against read_file of the same file",
			value: round(median(shell) / median(read)),
			unit: "times",
			atMost: 3,
			note: `${round(median(shell))} ms against ${round(median(read))} ms, medians of ${rounds}`,
		},
	];
}

interface Executed {
	readonly success: boolean;
	readonly content: string;
}

/** Every other one has an x in it. */
const lines = (count: number): string =>
	Array.from({ length: count }, (_, at) => `${at}: high water ${at % 2 ? "at six" : "at one"}, metres\n`).join("");
