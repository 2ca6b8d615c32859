import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { permissionString, permissions, userPermissions } from "../../src/shared/permissions";
import { hasPermission } from "../../src/shared/principal";

describe("a permission", () => {
	it("stands in docs/permissions.md as it is in the code", () => {
		const page = readFileSync(path.join(import.meta.dirname, "../../docs/permissions.md"), "utf8");
		const rows = [...page.matchAll(/^\| `(\w+:\w+)` \| (.+) \| (yes )?\|$/gm)];
		const expected = Object.entries(permissions).map(([name, meaning]) => [
			name,
			`${meaning[0]?.toLowerCase()}${meaning.slice(1, -1)}`,
			userPermissions.some((held) => held === name),
		]);
		expect(rows.map(([, name, meaning, isUsers]) => [name, meaning, isUsers !== undefined])).toEqual(expected);
	});

	it.each(["agent:list", "agent:*", "*"])("can be written as %s", (text) => {
		expect(permissionString.safeParse(text).success).toBe(true);
	});

	it.each(["", "agent", "agent:", "agent:fly", "agents:*", "*:list", "agent:list ", "constructor", "toString:*"])(
		"cannot be written as %j",
		(text) => {
			expect(permissionString.safeParse(text).success).toBe(false);
		},
	);

	it.each([
		["agent:list", ["agent:list"], true],
		["agent:edit", ["agent:list"], false],
		["agent:edit", ["agent:*"], true],
		["agents:edit", ["agent:*"], false],
		["token:edit", ["*"], true],
		["*", ["agent:*"], false],
		["agent:*", ["agent:list", "agent:edit"], false],
		["agent:list", [], false],
	])("%s is held by %j: %s", (permission, held, expected) => {
		const principal = { id: "t", name: "t", role: "user", permissions: held } as const;
		expect(hasPermission(principal, permission)).toBe(expected);
	});
});
