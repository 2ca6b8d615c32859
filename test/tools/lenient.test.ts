import { expect, it } from "vitest";
import { knownNames } from "../../src/tools/lenient";

const known = { path: 1, old_string: 1, maxDepth: 1 };

it.each<[unknown, unknown]>([
	[
		{ path: "a", oldString: "b" },
		{ path: "a", old_string: "b" },
	],
	[
		{ old_string: "a", oldString: "b" },
		{ old_string: "a", oldString: "b" },
	],
	[{ maxDepth: 2 }, { maxDepth: 2 }],
	[{ somethingElse: 1 }, { somethingElse: 1 }],
	[null, null],
	["text", "text"],
	[[1], [1]],
])("brings %j to %j", (given, names) => {
	expect(knownNames(given, known)).toEqual(names);
});
