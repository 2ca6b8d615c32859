import { expect, it } from "vitest";
import { commandLine } from "../../../src/tools/shell/command-line";

it.each([
	["ls", [], "'ls'"],
	["./bin/tool", ["-a", "b c"], "'./bin/tool' '-a' 'b c'"],
	["echo", ["it's", "", "$HOME", "`id`", "a\nb"], "'echo' 'it'\\''s' '' '$HOME' '`id`' 'a\nb'"],
	["if", [], "'if'"],
	["a=b", ["ls"], "'a=b' 'ls'"],
	["ls; rm x", [], "'ls; rm x'"],
])("quotes %j with %j", (executable, args, line) => {
	expect(commandLine(executable, args)).toBe(line);
});
