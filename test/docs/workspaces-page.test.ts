import { readFileSync } from "node:fs";
import path from "node:path";
import { Bash } from "just-bash/browser";
import { describe, expect, it } from "vitest";
import { settingsDocument } from "../../src/shared/settings";
import { commandsOf } from "../../src/workspace/shell/command-table";
import { withOurCommands } from "../../src/workspace/shell/commands";
import { knownDifferences } from "../fixtures/shell/known-differences";
import { root } from "../support/node/source";

const page = readFileSync(path.join(root, "docs/workspaces.md"), "utf8");
const partOf = (name: string) =>
	page.split(`<!-- ${name}: test/docs/workspaces-page.test.ts -->\n`)[1]?.split("<!-- end -->")[0] ?? "";

/** Builtins that steer the shell alone, which need no entry. */
const unlisted = ["alias", "history", "unalias"];

describe("docs/workspaces.md", () => {
	it("names the commands that the shell has", () => {
		const bash = new Bash({ fetch: () => Promise.reject(new Error("No request was expected.")) });
		const names = [...withOurCommands(commandsOf(bash)).keys()].filter((name) => !unlisted.includes(name)).sort();
		expect(partOf("commands").match(/[\w-]+/g)).toEqual(names);
	});

	it("names the known differences from bash", () => {
		expect(partOf("differences").trim().split("\n")).toEqual(knownDifferences.map(({ why }) => `- ${why}`));
	});

	it("has the settings as they are", () => {
		const { files, writeSandbox, shell } = settingsDocument.parse({});
		const rows = [...page.matchAll(/^\| `(\w+)\.(\w+)` \| `?([\w,/]+)`? \|/gm)];
		const shown = rows.map(([, group, name, value = ""]) => [`${group}.${name}`, value.replaceAll(",", "")]);
		expect(new Set(shown.map(([name]) => name)).size).toBe(shown.length);
		for (const [group, values] of Object.entries({ files, writeSandbox, shell })) {
			for (const [name, value] of Object.entries(values))
				expect(shown).toContainEqual([`${group}.${name}`, String(value)]);
		}
	});
});
