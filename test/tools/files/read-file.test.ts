import { describe, expect, it } from "vitest";
import { workspaceWorld } from "../../support/node/workspace-world";

const lines = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join("");

describe("read_file", () => {
	it.each<[string, string, object, string]>([
		["a whole file", "a\nb\n", {}, "a\nb\n[/workspace/f: 2 lines, 4 bytes, whole.]"],
		["a file without a last line end", "a\nb", {}, "a\nb\n[/workspace/f: 2 lines, 3 bytes, whole.]"],
		["an empty file", "", {}, "[/workspace/f is empty: 0 bytes.]"],
		["an empty file from somewhere", "", { offset: 3 }, "[/workspace/f is empty: 0 bytes.]"],
		[
			"some lines",
			"a\nb\nc\n",
			{ offset: 2, limit: 1 },
			"b\n[/workspace/f: lines 2-2 of 3, bytes 2-4 of 6. Read on with offset 3.]",
		],
		[
			"the first lines",
			"a\nb\n",
			{ limit: 1 },
			"a\n[/workspace/f: lines 1-1 of 2, bytes 0-2 of 4. Read on with offset 2.]",
		],
		[
			"the last lines",
			"a\nb\nc",
			{ offset: 2 },
			"b\nc\n[/workspace/f: lines 2-3 of 3, bytes 2-5 of 5. This is the end.]",
		],
		["lines after the end", "a\nb\n", { offset: 9 }, "[Nothing is there: /workspace/f has 2 lines, 4 bytes.]"],
		["bytes", "aébc", { byte_offset: 2 }, "bc\n[/workspace/f: bytes 3-5 of 5. This is the end.]"],
		["bytes after the end", "abc", { byte_offset: 7 }, "[Nothing is there: /workspace/f has 3 bytes.]"],
		["a byte order mark", "\ufeffa\r\n", {}, "\ufeffa\r\n[/workspace/f: 1 line, 6 bytes, whole.]"],
	])("shows %s", async (_, text, args, shown) => {
		const { said } = await workspaceWorld({ texts: { "/workspace/f": text } });
		expect(await said("read_file", { path: "f", ...args })).toBe(shown);
	});

	it("reads 32 KiB of whole lines and says how to go on", async () => {
		const { said } = await workspaceWorld({ texts: { "/workspace/f": lines(1, 9_999) } });
		const first = await said("read_file", { path: "/workspace/f" });
		const [, last, end] = /\[\/workspace\/f: lines 1-(\d+) of 9999, bytes 0-(\d+) of/.exec(first) ?? [];
		expect(Number(end)).toBeGreaterThan(32_700);
		expect(Number(end)).toBeLessThanOrEqual(32_768);
		expect(first).toContain(`Read on with offset ${Number(last) + 1}.]`);
		const second = await said("read_file", { path: "f", offset: Number(last) + 1 });
		expect(second.startsWith(`line ${Number(last) + 1}\n`)).toBe(true);
	});

	it("cuts a very long line between characters and goes on by bytes", async () => {
		const text = "€".repeat(20_000);
		const { said } = await workspaceWorld({ texts: { "/workspace/f": text } });
		const first = await said("read_file", { path: "f" });
		expect(first).toBe(
			`${"€".repeat(10_922)}\n[/workspace/f: lines 1-1 of 1, bytes 0-32766 of 60000. Line 1 is longer and cut here. Read on with byte_offset 32766.]`,
		);
		const second = await said("read_file", { path: "f", byte_offset: 32_766 });
		expect(second).toBe(`${"€".repeat(9_078)}\n[/workspace/f: bytes 32766-60000 of 60000. This is the end.]`);
	});

	it("reads of a large file what is asked for, and refuses to begin without a plan", async () => {
		const { call, said, onFiles } = await workspaceWorld();
		await onFiles((files) => {
			const content = files.beginContent();
			for (let at = 0; at < 120; at++) content.write(new TextEncoder().encode(`${"x".repeat(99_999)}\n`));
			files.place("/workspace/large", content);
		});
		expect(await call("read_file", { path: "large" })).toMatchObject({
			success: false,
			code: "too_large",
			retryable: true,
			errorMessage: expect.stringMatching(/12000000 bytes.*offset, limit or byte_offset/),
		});
		expect(await said("read_file", { path: "large", byte_offset: 11_999_990 })).toBe(
			"xxxxxxxxx\n[/workspace/large: bytes 11999990-12000000 of 12000000. This is the end.]",
		);
		expect(await said("read_file", { path: "large", offset: 120, limit: 1 })).toMatch(
			/^x{32768}\n\[.*: lines 120-120, bytes 11900000-11932768 of 12000000\. Line 120 is longer/,
		);
	});

	it.each([
		["a directory", "/workspace", "invalid_arguments", "list_dir"],
		["a missing file", "none", "not_found", "list_dir"],
		["a place outside", "/etc/passwd", "not_listed", "FILE list"],
		["a dot-dot out of the workspace", "../x", "not_listed", "FILE list"],
		["a control character", "a\nb", "not_listed", "control character"],
		["an empty path", "", "not_listed", "empty"],
		["a picture", "p.png", "invalid_arguments", "a PNG image of 5 bytes"],
		["broken UTF-8", "broken", "invalid_arguments", "a binary file of 2 bytes"],
	])("refuses %s", async (_, path, code, message) => {
		const { call, onFiles } = await workspaceWorld();
		await onFiles((files) => {
			files.write("/workspace/p.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]));
			files.write("/workspace/broken", new Uint8Array([0x61, 0xff]));
		});
		const result = await call("read_file", { path });
		expect(result).toMatchObject({ success: false, code });
		expect(result).toHaveProperty("errorMessage", expect.stringContaining(message));
	});

	it("reads skills, memory and kept results", async () => {
		const { said, artifacts } = await workspaceWorld({ skills: { greet: "# Greet\n" } });
		artifacts.set("a1", "one\ntwo\n");
		expect(await said("read_file", { path: "/skills/greet/SKILL.md" })).toContain("# Greet");
		expect(await said("read_file", { path: "/memory/MEMORY.md" })).toContain("likes tea");
		expect(await said("read_file", { path: "/artifacts/a1", offset: 2 })).toMatch(/^two\n\[/);
	});

	it("keeps the memory closed under the memory ACL", async () => {
		const { call, rows } = await workspaceWorld({ settings: { memory: { aclEnabled: true } } });
		expect(await call("read_file", { path: "/memory/MEMORY.md" })).toMatchObject({
			code: "not_listed",
			meta: { gate: "lists", reason: "memory_acl" },
		});
		expect(rows).toMatchObject([{ gate: "lists", code: "not_listed" }]);
	});
});
