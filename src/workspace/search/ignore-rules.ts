import { RE2JS, RE2Set } from "re2js";
import { maxPatternBytes, PatternRefused } from "./pattern-refused";
import { wildcardsToPattern } from "./wildcards";

/** What the lines of one `.gitignore` say. */
export interface IgnoreRules {
	/** Of a path below the file's own folder, without a leading slash; undefined when no line speaks of it. Linear in the length of the path. */
	judge(path: string, isDirectory: boolean): "ignored" | "kept" | undefined;
}

/** More rules than anyone writes; what comes after them is not read. */
const maxRules = 1_000;

/** https://git-scm.com/docs/gitignore#_pattern_format; a line that cannot be read says nothing. Undefined when none says anything. */
export function parseIgnoreRules(text: string): IgnoreRules | undefined {
	const rules = text
		.replace(/^\ufeff/, "")
		.split("\n")
		.flatMap((line) => parseRule(line.replace(/\r$/, "")) ?? [])
		.slice(0, maxRules);
	if (rules.length === 0) return undefined;
	const set = new RE2Set(RE2Set.ANCHOR_BOTH, RE2JS.DOTALL);
	for (const { pattern } of rules) set.add(pattern);
	return {
		judge(path, isDirectory) {
			const last = Math.max(...set.match(subjectOf(path, isDirectory)));
			return rules[last]?.verdict;
		},
	};
}

interface Rule {
	readonly pattern: string;
	readonly verdict: "ignored" | "kept";
}

/** One letter for the kind before the path, so that a rule for folders is a pattern like the others. */
const subjectOf = (path: string, isDirectory: boolean) => `${isDirectory ? "d" : "f"}${path}`;

function parseRule(line: string): Rule | undefined {
	if (line.startsWith("#") || line.length > maxPatternBytes) return undefined;
	const negated = line.startsWith("!");
	const glob = trimTrailingSpaces(negated ? line.slice(1) : line);
	const ofFolders = glob.endsWith("/");
	const path = ofFolders ? glob.slice(0, -1) : glob;
	const name = path.replace(/^\//, "");
	if (name === "") return undefined;
	try {
		const kind = ofFolders ? "d" : "[df]";
		const folders = path.includes("/") ? "" : "(?:.*/)?";
		return { pattern: kind + folders + wildcardsToPattern(name), verdict: negated ? "kept" : "ignored" };
	} catch (error) {
		if (error instanceof PatternRefused) return undefined;
		throw error;
	}
}

/** A space at the end counts only where a backslash stands before it. */
function trimTrailingSpaces(glob: string): string {
	let end = 0;
	for (let at = 0; at < glob.length; at++) {
		if (glob[at] === " ") continue;
		if (glob[at] === "\\") at++;
		end = at + 1;
	}
	return glob.slice(0, end);
}
