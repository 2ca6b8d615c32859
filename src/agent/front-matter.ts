import { parseDocument } from "yaml";
import { parseJson } from "../lib/parse-json";
import { AppError } from "../shared/errors";

export interface MarkdownFile {
	readonly fields: Readonly<Record<string, unknown>>;
	readonly body: string;
}

const maxChars = 65_536;

/**
 * Takes a Markdown file with front matter apart; `file` is its name, for messages. Throws `invalid_input` when there is no front matter,
 * it is not closed, or it is no plain mapping. One line break after the fence and one at the end belong to the format, not to the body.
 */
export function readFrontMatter(text: string, file: string): MarkdownFile {
	const [opening, newline] = /^\uFEFF?---[ \t]*(\r?\n)/.exec(text) ?? [];
	if (!opening || !newline)
		throw new AppError("invalid_input", `${file} must begin with front matter: a line "---", then "name: …".`);
	const rest = text.slice(opening.length);
	const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
	if (!closing)
		throw new AppError("invalid_input", `The front matter of ${file} is not closed: end it with a line "---".`);
	const fields = readFields(rest.slice(0, closing.index), file);
	const body = rest.slice(closing.index + closing[0].length);
	const begin = body.startsWith(newline) ? newline.length : 0;
	return { fields, body: body.slice(begin, body.endsWith(newline) ? -newline.length : undefined) };
}

function readFields(yaml: string, file: string): Record<string, unknown> {
	const refuse = (why: string) => new AppError("invalid_input", `The front matter of ${file} cannot be read. ${why}`);
	if (yaml.length > maxChars) throw refuse(`It is longer than ${maxChars} characters.`);
	// By way of JSON: what JSON cannot say (anchors, tags, numbers without end) and keys that reach a prototype stay outside.
	const parsed = parseJson(JSON.stringify(parseYaml(yaml, refuse)) ?? "null");
	if (!parsed.ok) throw refuse(parsed.message);
	if (!isMapping(parsed.value)) throw refuse('Write one "field: value" on each line.');
	// A key without a value is a field left out.
	return Object.fromEntries(Object.entries(parsed.value).filter(([, value]) => value !== null));
}

function parseYaml(yaml: string, refuse: (why: string) => AppError): unknown {
	try {
		const document = parseDocument(yaml, { schema: "core", version: "1.2", logLevel: "silent", prettyErrors: false });
		const [problem] = [...document.errors, ...document.warnings];
		if (problem) throw refuse(`Line ${lineOf(yaml, problem.pos[0])}: ${problem.message}`);
		return document.toJS({ maxAliasCount: 0 });
	} catch (error) {
		if (error instanceof AppError) throw error;
		// An alias, or nesting too deep for the parser.
		throw refuse("Use plain YAML: no aliases, and no deep nesting.");
	}
}

const lineOf = (text: string, position: number) => text.slice(0, position).split("\n").length + 1;

const isMapping = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
