import { modelReads } from "./model-reads";
import type { SampleProject } from "./sample-project";

/** A tool call, and what the model must read about it. */
export interface Step {
	readonly name: string;
	readonly arguments: Readonly<Record<string, unknown>>;
	readonly told: string;
	/** By a list. */
	readonly isRefused?: true;
}

/** What a shell must be allowed for the work. */
export const commands = ["awk", "basename", "echo", "find", "grep", "head", "sed", "sort", "uniq", "wc", "xargs"];

/** They only look. */
const pipelines = [
	"find . -name '*.js' | xargs grep -l require | sort | wc -l",
	"find domino/lib -name '*.js' | xargs wc -c | sort -rn | head -5",
	`grep -rhoE "require\\('[^']+'\\)" domino/lib | sort | uniq -c | sort -rn | head -5`,
	`for f in domino/lib/N*.js; do echo "$(wc -l < "$f") $(basename "$f")"; done | sort -rn | head -3`,
	`awk -F'"' '/"version"/ { print $4 }' domino/package.json`,
];

const element = "domino/lib/Element.js";
const config = "domino/lib/config.js";
const notes = { path: "domino/docs/说明.md", content: "# 说明 🛠\n" };
const edit = { before: "var utils = require", after: "// 工具 🛠\nvar utils = require" };
const files = "grep -rl ELEMENT_NODE domino/lib | sort";
const rename = `${files} | xargs sed -i 's/ELEMENT_NODE/KIND_ELEMENT/g'`;

const step = (name: string, args: Step["arguments"], told: string): Step => ({ name, arguments: args, told });

const refusal =
	'The command "python3" is not on the SHELL list, so the whole command line was refused and nothing was changed.';

/** Work on a project in the words of OryxOS: what the calls must do there is done on the disk at once. */
export function workOfOryx(project: SampleProject): Step[] {
	const reads = modelReads(project);
	const { before, after } = edit;
	const part = { path: element, offset: 4, limit: 3 };
	const grepLib = { path: "domino/lib", include: "*.js" };
	return [
		step("list_dir", { path: "domino" }, reads.listing("domino", 1)),
		step("list_dir", { path: "domino", recursive: true }, reads.listing("domino", 3)),
		step("list_dir", { path: "domino", recursive: true, max_depth: 10 }, reads.listing("domino", 10)),
		step("read_file", part, reads.part(element, 4, 3)),
		step("glob", { pattern: "**/*.md" }, reads.paths("domino -name '*.md'")),
		step("glob", { pattern: "**/*.js", path: "domino/test" }, reads.paths("domino/test -name '*.js'")),
		step(
			"grep",
			{ pattern: "insertBefore\\(", ...grepLib },
			reads.findings("-E 'insertBefore\\(' domino/lib --include='*.js'"),
		),
		step(
			"grep",
			{ pattern: "getElementsByTagName", path: "domino/test/w3c" },
			reads.findings("getElementsByTagName domino/test/w3c"),
		),
		...pipelines.map((command) => step("shell", { command }, reads.outcome(command))),
		step("edit_file", { path: element, old_string: before, new_string: after }, reads.edit(element, before, after)),
		step("read_file", part, reads.part(element, 4, 3)),
		{ ...step("shell", { command: "sed -i s/Redis/x/ domino/LICENSE; python3 x" }, refusal), isRefused: true },
		step("shell", { command: rename }, reads.outcome(rename, project.lines(files))),
		step("shell", { command: `${files} | wc -l` }, reads.outcome(`${files} | wc -l`)),
	];
}

/** The like in the words of ruoyi-ai. */
export function workOfRuoyi(project: SampleProject): Step[] {
	const reads = modelReads(project);
	const text = "exports.isApiWritable = true;\n";
	const { path, content } = notes;
	return [
		step("listDirectory", { filePath: "domino", recursive: true, maxDepth: 2 }, reads.listing("domino", 2)),
		step("readFile", { filePath: element, offset: 100, limit: 200 }, reads.part(element, 100, 200)),
		step("glob", { pattern: "**/*.html" }, reads.paths("domino -name '*.html'")),
		step("grep", { pattern: "prototype", include: "N*.js" }, reads.findings("prototype domino --include='N*.js'")),
		...pipelines.map((command) => step("executeCommand", { command }, reads.outcome(command))),
		step("editFile", { filePath: config, diff: text }, reads.overwrite(config, text)),
		step("writeFile", { filePath: path, content }, reads.create(path, content)),
		step("executeCommand", { command: rename }, reads.outcome(rename, project.lines(files))),
		step("deleteFile", { filePath: "domino/.nvmrc" }, reads.remove("domino/.nvmrc")),
	];
}

/** The like in the words of PRX, and in those that are left. */
export function workOfPrx(project: SampleProject): Step[] {
	const reads = modelReads(project);
	const { before, after } = edit;
	const { path, content } = notes;
	const part = { path: element, offset: 4, limit: 3 };
	return [
		step("list_directory", { filePath: "domino/lib" }, reads.listing("domino/lib", 1)),
		step("file_read", part, reads.part(element, 4, 3)),
		step("glob", { pattern: "domino/*" }, reads.paths("domino -maxdepth 1 -type f")),
		step(
			"grep",
			{ pattern: "module.exports", path: "domino/lib", literal: true },
			reads.findings("-F module.exports domino/lib"),
		),
		...pipelines.map((command) => step("execute_command", { command }, reads.outcome(command))),
		step("file_edit", { path: element, old_string: before, new_string: after }, reads.edit(element, before, after)),
		step("file_write", { path, content }, reads.create(path, content)),
		step("execute_command", { command: rename }, reads.outcome(rename, project.lines(files))),
		step("file_read", part, reads.part(element, 4, 3)),
	];
}
