import { packTar, type TarEntry } from "modern-tar";
import type { LocalWorker } from "./local-worker.ts";
import { type Measure, median, round, takeTurns } from "./measure.ts";

const warmUps = 50;
const rounds = 300;
const fileBytes = 1_000;
/** Of one upload. */
const maxEntries = 10_000;

interface Directory {
	readonly name: string;
	readonly files: number;
}

const listed = { name: "tides", files: 100 };
/** More than a listing shows, so that one of either shows as much. */
const wide = { name: "wide", files: 1_000 };
const widest = { name: "widest", files: 48_900 };
const years = Array.from({ length: 500 }, (_, year) => ({ name: `years/${year}`, files: 100 }));

/** File tools in a workspace of 100,000 files against one of 100, in turns and on files of the same names. */
export async function measureWorkspaceSize(worker: LocalWorker): Promise<Measure[]> {
	const few = await workspaceOf(worker, "few-files", [listed]);
	const many = await workspaceOf(worker, "many-files", [listed, wide, widest, ...years]);
	const measures: Measure[] = [];
	for (const { name, work } of works) {
		const [amongFew = [], amongMany = []] = await takeTurns({ warmUps, rounds }, [work(few), work(many)]);
		measures.push(ratio(`${name} among 100,000 files against 100`, amongMany, amongFew));
	}
	const list = (path: string) => () => many("list_dir", { path });
	const [inWide = [], inWidest = []] = await takeTurns({ warmUps, rounds }, [list(wide.name), list(widest.name)]);
	return [...measures, ratio(`list_dir of ${widest.files} entries against ${wide.files}, 500 shown`, inWidest, inWide)];
}

type Execute = (tool: string, args: object) => Promise<void>;

/** What is measured leaves as many files behind as it found. */
const works: readonly { name: string; work: (execute: Execute) => (turn: number) => Promise<void> }[] = [
	{
		name: "list_dir",
		work: (execute) => async () => await execute("list_dir", { path: listed.name }),
	},
	{
		name: "read_file",
		work: (execute) => async () => await execute("read_file", { path: nameIn(listed, 7) }),
	},
	{
		name: "edit_file",
		work: (execute) => async (turn) => {
			const edit = { old_string: `edition ${turn}\n`, new_string: `edition ${turn + 1}\n` };
			await execute("edit_file", { path: nameIn(listed, 8), ...edit });
		},
	},
	{
		name: "write_file and delete_file",
		work: (execute) => async (turn) => {
			const path = nameIn(listed, 100 + turn);
			await execute("write_file", { path, content: contentOf(path) });
			await execute("delete_file", { path });
		},
	},
	{
		name: "move_file there and back",
		work: (execute) => async () => {
			const [here, there] = [nameIn(listed, 9), nameIn(listed, 100)];
			await execute("move_file", { from: here, to: there });
			await execute("move_file", { from: there, to: here });
		},
	},
];

async function workspaceOf({ call }: LocalWorker, agent: string, directories: readonly Directory[]): Promise<Execute> {
	const entries = directories.flatMap((directory) =>
		Array.from({ length: directory.files }, (_, at) => entryOf(nameIn(directory, at))),
	);
	await call("POST", "/api/v1/agents", { name: agent, tools: ["*"] });
	for (let from = 0; from < entries.length; from += maxEntries) {
		const archive = new Blob([await packTar(entries.slice(from, from + maxEntries))]);
		await call("POST", `/api/v1/workspaces/${agent}/archive`, archive, { "Content-Type": "application/x-tar" });
	}
	return async (tool, args) => {
		const path = `/api/v1/tools/${tool}/execute`;
		const answer = await call<{ success: boolean }>("POST", path, { agent, arguments: args });
		if (!answer.success) throw new Error(`${tool} answered ${JSON.stringify(answer)}`);
	};
}

const nameIn = ({ name }: Directory, at: number): string => `${name}/file-${String(at).padStart(5, "0")}.txt`;

const entryOf = (name: string): TarEntry => ({ header: { name, size: fileBytes }, body: contentOf(name) });

const contentOf = (name: string): string => `${name}, edition 0\n`.padEnd(fileBytes, "High water at six. ");

function ratio(name: string, times: readonly number[], against: readonly number[]): Measure {
	const note = `${round(median(times))} ms against ${round(median(against))} ms, medians of ${rounds}`;
	return { name, value: round(median(times) / median(against)), unit: "times", atMost: 1.5, note };
}
