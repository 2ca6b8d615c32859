import type { LocalWorker } from "./local-worker.ts";
import type { Measure } from "./measure.ts";
import { type Counters, rowsIn, tell } from "./rows.ts";

const path = "row-table.txt";
const reads: readonly (readonly [string, object])[] = [
	["read_file", { path }],
	["list_dir", { path: "." }],
	["grep", { pattern: "water", path }],
	["shell", { command: `cat ${path} | grep x | wc -l` }],
];

/** Rows that a workspace's object writes for calls that only look, and all that an edit writes. */
export async function measureFileRows({ call }: LocalWorker): Promise<Measure[]> {
	const counted = async (tool: string, args: object) => {
		await call("POST", "/counters");
		await call("POST", `/api/v1/tools/${tool}/execute`, { arguments: args }, { "X-Count": "1" });
		return (await call<Counters>("POST", "/counters")).rows;
	};
	for (const value of ["cat", "grep", "wc"]) await call("POST", "/api/v1/sandbox/whitelist/SHELL", { value });
	await counted("write_file", { path, content: "high water at six\n" });
	let byReads = 0;
	for (const [tool, args] of reads) {
		const rows = Object.entries(await counted(tool, args)).filter(([place]) => place.startsWith("object"));
		byReads += rowsIn(Object.fromEntries(rows));
	}
	const edit = await counted("edit_file", { path, old_string: "six", new_string: "seven" });
	return [
		{
			name: "calls that only look at files: rows written in the workspace",
			value: byReads,
			unit: "rows",
			atMost: 0,
			note: reads.map(([tool]) => tool).join(", "),
		},
		{ name: "edit_file: rows written", value: rowsIn(edit), unit: "rows", note: tell(edit) },
	];
}
