import { specOf } from "../../src/agent/tools-for";
import { settingsDocument } from "../../src/shared/settings";
import type { Tool } from "../../src/tools/tool";

const around = { settings: settingsDocument.parse({}), channels: [], runner: false, commands: [] };

/** The page of the built-in tools, as the code has them: what a model is told of each. */
export function toolsPage(tools: readonly Tool[]): string {
	const sections = tools.map((tool) => section(tool, tools));
	return `# The built-in tools

<!-- Written from the code by \`npm run docs\`; change the tool, not this page. -->

${tools.map(({ name }) => `[\`${name}\`](#${name.toLowerCase()})`).join(" · ")}

${sections.join("\n\n")}
`;
}

function section(tool: Tool, tools: readonly Tool[]): string {
	const { description, inputSchema } = specOf(tool, around);
	const faces = tools.filter(({ aliasOf }) => aliasOf === tool.name).map(({ name }) => `\`${name}\``);
	const facts = [
		`group ${tool.group}`,
		`effects ${tool.effects}`,
		tool.idempotent ? "may be run again after a crash" : "is not run again after a crash",
		tool.aliasOf && `another face of [\`${tool.aliasOf}\`](#${tool.aliasOf.toLowerCase()})`,
		faces.length > 0 && `other faces: ${faces.join(", ")}`,
	];
	return [`## ${tool.name}`, facts.filter(Boolean).join(" · "), description, argumentsTable(inputSchema)]
		.filter(Boolean)
		.join("\n\n");
}

interface Argument {
	readonly type?: string;
	readonly enum?: readonly string[];
	readonly description?: string;
}

function argumentsTable({ properties = {}, required = [] }: { properties?: unknown; required?: unknown }): string {
	const rows = Object.entries(properties as Record<string, Argument>).map(([name, argument]) => {
		const type = argument.enum?.join(", ") ?? argument.type ?? "any";
		const isRequired = (required as string[]).includes(name);
		return `| \`${name}\` | ${type} | ${isRequired ? "yes" : ""} | ${cell(argument.description ?? "")} |`;
	});
	return rows.length > 0
		? ["| argument | type | required | meaning |", "| --- | --- | --- | --- |", ...rows].join("\n")
		: "";
}

const cell = (text: string) => text.replace(/\s+/g, " ").replaceAll("|", "\\|");
