import { describe, expect, it } from "vitest";
import { workspaceWorld } from "../../support/node/workspace-world";

const texts = {
	"/workspace/a.txt": "a",
	"/workspace/b.txt": "bb",
	"/workspace/d/c.txt": "c",
	"/workspace/d/e/f.txt": "f",
};

/** What a call says and which paths there are after it, with the content of each file. */
async function changedBy(name: string, args: object) {
	const world = await workspaceWorld({ texts, policy: { tools: { delete_recursive: "allow" } } });
	await world.onFiles((files) => {
		files.makeDirectory("/workspace/empty");
		files.symlink("a.txt", "/workspace/link");
		files.symlink("d", "/workspace/dlink");
		files.symlink("/etc", "/workspace/out");
	});
	const before = await world.tree();
	const result = await world.call(name, args);
	const now = await world.tree();
	const names = (tree: string[]) => tree.map((line) => line.split(" ")[0] ?? "");
	return {
		world,
		result,
		isSame: JSON.stringify(before) === JSON.stringify(now),
		gone: names(before).filter((path) => !names(now).includes(path)),
		made: names(now).filter((path) => !names(before).includes(path)),
	};
}

describe("what changes files", () => {
	it.each<[string, object, { made?: string[]; gone?: string[]; says: string }]>([
		[
			"write_file",
			{ path: "new", content: "x" },
			{ made: ["/workspace/new"], says: "Created /workspace/new: 1 byte." },
		],
		[
			"write_file",
			{ path: "x/y/z", content: "é" },
			{ made: ["/workspace/x", "/workspace/x/y", "/workspace/x/y/z"], says: "Created /workspace/x/y/z: 2 bytes." },
		],
		["write_file", { path: "a.txt", content: "" }, { says: "Overwrote /workspace/a.txt: 0 bytes." }],
		["write_file", { path: "/tmp/t", content: { a: 1 } }, { made: ["/tmp/t"], says: "Created /tmp/t: 7 bytes." }],
		["append_file", { path: "a.txt", content: "b" }, { says: "Appended to /workspace/a.txt: it has 2 bytes now." }],
		["append_file", { path: "n/m", content: "b" }, { made: ["/workspace/n", "/workspace/n/m"], says: "Created" }],
		[
			"make_dir",
			{ path: "p/q" },
			{ made: ["/workspace/p", "/workspace/p/q"], says: "Made the directory /workspace/p/q." },
		],
		["make_dir", { path: "d/e" }, { says: "there already" }],
		[
			"move_file",
			{ from: "a.txt", to: "x/a2.txt" },
			{ gone: ["/workspace/a.txt"], made: ["/workspace/x", "/workspace/x/a2.txt"], says: "Moved the file" },
		],
		["move_file", { from: "a.txt", to: "b.txt" }, { gone: ["/workspace/a.txt"], says: "replacing what was there" }],
		["move_file", { from: "link", to: "l2" }, { gone: ["/workspace/link"], made: ["/workspace/l2"], says: "symlink" }],
		[
			"move_file",
			{ from: "d", to: "/tmp/moved" },
			{
				gone: ["/workspace/d", "/workspace/d/c.txt", "/workspace/d/e", "/workspace/d/e/f.txt"],
				made: ["/tmp/moved", "/tmp/moved/c.txt", "/tmp/moved/e", "/tmp/moved/e/f.txt"],
				says: "Moved the directory",
			},
		],
		[
			"copy_file",
			{ from: "a.txt", to: "/tmp/a" },
			{ made: ["/tmp/a"], says: "Copied /workspace/a.txt to /tmp/a: 1 byte." },
		],
		["copy_file", { from: "link", to: "b.txt" }, { says: "replacing what was there: 1 byte" }],
		["delete_file", { path: "a.txt" }, { gone: ["/workspace/a.txt"], says: "Deleted the file /workspace/a.txt." }],
		["delete_file", { path: "dlink" }, { gone: ["/workspace/dlink"], says: "Deleted the symlink" }],
		["delete_file", { path: "dlink", recursive: true }, { gone: ["/workspace/dlink"], says: "Deleted the symlink" }],
		[
			"delete_file",
			{ path: "d", recursive: true },
			{
				gone: ["/workspace/d", "/workspace/d/c.txt", "/workspace/d/e", "/workspace/d/e/f.txt"],
				says: "Deleted the directory",
			},
		],
	])("%s %j", async (name, args, { made = [], gone = [], says }) => {
		const done = await changedBy(name, args);
		expect(done.result).toMatchObject({ success: true, content: expect.stringContaining(says) });
		expect({ made: done.made, gone: done.gone }).toEqual({ made, gone });
	});

	it.each<[string, object, string, string]>([
		["write_file", { path: "d", content: "x" }, "invalid_arguments", "is a directory"],
		["write_file", { path: "a.txt/b", content: "x" }, "invalid_arguments", "leads through one"],
		["write_file", { path: "", content: "x" }, "not_listed", "empty"],
		["write_file", { path: "/etc/x", content: "x" }, "not_listed", "FILE list"],
		["write_file", { path: "out/x", content: "x" }, "not_listed", "symbolic link"],
		["write_file", { path: ".git/config", content: "x" }, "not_listed", "protected"],
		["write_file", { path: "/skills/x/SKILL.md", content: "x" }, "not_listed", "read-only"],
		["write_file", { path: "n".repeat(256), content: "x" }, "invalid_arguments", "255 bytes"],
		["write_file", { path: "new" }, "invalid_arguments", "content"],
		["append_file", { path: "d", content: "x" }, "invalid_arguments", "is a directory"],
		["append_file", { path: ".env", content: "x" }, "not_listed", "protected"],
		["make_dir", { path: "a.txt" }, "conflict", "exists already"],
		["make_dir", { path: "a.txt/b" }, "invalid_arguments", "directory"],
		["move_file", { from: "none", to: "x/y" }, "not_found", "/workspace/none"],
		["move_file", { from: "a.txt", to: "d" }, "invalid_arguments", "is a directory"],
		["move_file", { from: "a.txt", to: "dlink" }, "invalid_arguments", "is a directory"],
		["move_file", { from: "d", to: "d/e/x" }, "invalid_arguments", "cannot be done"],
		["move_file", { from: "d", to: "a.txt" }, "invalid_arguments", ""],
		["move_file", { from: "/workspace", to: "/tmp/w" }, "not_listed", "root"],
		["move_file", { from: ".", to: "x" }, "not_listed", "root"],
		["move_file", { from: "a.txt", to: ".git/hooks/pre-commit" }, "not_listed", "protected"],
		["move_file", { from: "/memory/MEMORY.md", to: "m" }, "not_listed", "read-only"],
		["copy_file", { from: "d", to: "x" }, "invalid_arguments", "is a directory"],
		["copy_file", { from: "a.txt", to: "d" }, "invalid_arguments", "is a directory"],
		["copy_file", { from: "a.txt", to: "link" }, "invalid_arguments", "same file"],
		["copy_file", { from: "out/passwd", to: "x" }, "not_listed", "symbolic link"],
		["copy_file", { from: "none", to: "x/y" }, "not_found", "/workspace/none"],
		["delete_file", { path: "d" }, "invalid_arguments", "recursive"],
		["delete_file", { path: "empty" }, "invalid_arguments", "recursive"],
		["delete_file", { path: "none" }, "not_found", "none"],
		["delete_file", { path: "." }, "not_listed", "root"],
		["delete_file", { path: "/", recursive: true }, "not_listed", "root"],
		["delete_file", { path: "/workspace", recursive: true }, "not_listed", "root"],
		["delete_file", { path: "" }, "not_listed", "empty"],
		["delete_file", { path: "/skills/x/SKILL.md" }, "not_listed", "read-only"],
	])("%s %j changes nothing", async (name, args, code, message) => {
		const done = await changedBy(name, args);
		expect(done.result).toMatchObject({ success: false, code });
		expect(done.result).toHaveProperty("errorMessage", expect.stringContaining(message));
		expect(done.isSame).toBe(true);
		expect(done.world.rows).toMatchObject([{ success: false, ...(code === "not_listed" && { gate: "lists" }) }]);
	});

	it("asks for approval before a directory is deleted, unless the policy says otherwise", async () => {
		const world = await workspaceWorld({ texts });
		const before = await world.tree();
		expect(await world.call("delete_file", { path: "d", recursive: true })).toMatchObject({
			code: "approval_required",
			errorMessage: expect.stringContaining("delete_recursive"),
		});
		expect(await world.tree()).toEqual(before);
	});

	it("appends once per call id", async () => {
		const world = await workspaceWorld({ texts });
		await world.call("append_file", { path: "a.txt", content: "+" }, "same");
		await world.call("append_file", { path: "a.txt", content: "+" }, "same");
		expect(await world.text("/workspace/a.txt")).toBe("a+");
	});

	it("makes, moves and deletes a file that the list names by itself, in folders that it does not", async () => {
		const world = await workspaceWorld({
			texts,
			settings: { files: { root: "/workspace/d" } },
			whitelist: { FILE: ["/workspace/reports/2026/june.md", "/workspace/a.txt"] },
		});
		const june = { path: "../reports/2026/june.md", content: "warm" };
		expect(await world.call("write_file", june)).toMatchObject({ success: true });
		expect(await world.call("move_file", { from: "../a.txt", to: "a.txt" })).toMatchObject({ success: true });
		expect(await world.call("delete_file", june)).toMatchObject({ success: true });
		expect(await world.call("write_file", june)).toMatchObject({ success: true });
		for (const path of ["../reports/2026/july.md", "../reports/x", "../b.txt"])
			expect(await world.call("write_file", { path, content: "x" })).toMatchObject({ code: "not_listed" });
		expect(await world.call("delete_file", { path: "../reports", recursive: true })).toMatchObject({
			code: "not_listed",
		});
	});

	it("writes into a job and says which", async () => {
		const world = await workspaceWorld({ texts, target: { mode: "staged", sessionId: "s1" } });
		const before = await world.tree();
		const result = await world.call("write_file", { path: "a.txt", content: "staged" });
		expect(result).toMatchObject({ success: true, meta: { jobId: expect.any(String) } });
		expect(await world.said("read_file", { path: "a.txt" })).toContain("staged");
		expect(await world.tree()).toEqual(before);
	});
});
