import type { ToolResult } from "../../shared/tool-result";
import { keepEnd } from "../../workspace/shell/keep-end";
import type { ShellOutcome } from "../../workspace/shell-call";

/** What a model reads of each stream (X6). */
const shownBytes = 8_192;
const shownChanges = 20;

/** What came of a command line: its exit code, the end of its output, and what it changed outside of git's own folder. The whole output goes to `keep` when some is left out. */
export async function showOutcome(
	{ value: outcome, jobId }: { readonly value: ShellOutcome; readonly jobId?: string },
	keep: (text: string) => Promise<string | undefined>,
): Promise<ToolResult> {
	const { exitCode, backend, reached } = outcome;
	const changed = outcome.changed.filter((path) => !path.includes("/.git/"));
	const streams = streamsOf(outcome).map(({ name, text, dropped }) => {
		const end = keepEnd(text, shownBytes);
		return { name, shown: end.text, leftOut: dropped + end.droppedBytes };
	});
	const isCut = streams.some(({ leftOut }) => leftOut > 0);
	const artifactId = isCut ? await keep(wholeOutput(outcome)) : undefined;
	const whole = artifactId ? ` read_file reads the whole at /artifacts/${artifactId}.` : "";
	const parts = streams
		.filter(({ shown }) => shown !== "")
		.flatMap(({ name, shown, leftOut }) => {
			const mark = leftOut > 0 ? [`[The first ${leftOut} bytes of ${name} are left out.${whole}]`] : [];
			return [`--- ${name} ---`, ...mark, shown.replace(/\n$/, "")];
		});
	const content = [
		`exit code ${exitCode}`,
		...(parts.length > 0 ? parts : ["(no output)"]),
		...(changed.length > 0 ? [changesLine(changed)] : []),
	].join("\n");
	const cut = isCut && { truncated: true, ...(artifactId && { artifactId }) };
	const held = {
		...(backend && { sandbox: backend }),
		...(reached && { egress: [...reached] }),
		...(jobId !== undefined && { jobId }),
	};
	return { success: true, content, meta: { exitCode, ...cut, ...held } };
}

const streamsOf = ({ stdout, stderr, droppedStdoutBytes, droppedStderrBytes }: ShellOutcome) => [
	{ name: "stdout", text: stdout, dropped: droppedStdoutBytes },
	{ name: "stderr", text: stderr, dropped: droppedStderrBytes },
];

const wholeOutput = (outcome: ShellOutcome): string =>
	streamsOf(outcome)
		.filter(({ text }) => text !== "")
		.map(({ name, text, dropped }) => {
			const mark = dropped > 0 ? `[The first ${dropped} bytes were not kept.]\n` : "";
			return `--- ${name} ---\n${mark}${text}`;
		})
		.join("\n");

function changesLine(changed: readonly string[]): string {
	const more = changed.length > shownChanges ? `, and ${changed.length - shownChanges} more` : "";
	return `[Changed: ${changed.slice(0, shownChanges).join(", ")}${more}]`;
}
