import { describe, expect, it } from "vitest";
import { memoryWorkspace } from "../support/node/workspace";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);

describe("a file system", () => {
	it("reads what was written", () => {
		const { files } = memoryWorkspace();
		files.makeDirectory("/workspace/a/b", { parents: true });
		files.write("/workspace/a/b/c.txt", bytes("hello"));
		expect(files.append("/workspace/a/b/c.txt", bytes(" you"))).toBe(9);
		files.writeAt("/workspace/a/b/c.txt", 1_000_000, bytes("!"));
		files.symlink("../a/b/c.txt", "/workspace/a/link");
		expect(files.resolve("/workspace/a/link")).toBe("/workspace/a/b/c.txt");
		expect(text(files.read("/workspace/a/link", { length: 9 }))).toBe("hello you");
		expect(files.stat("/workspace/a/link").size).toBe(1_000_001);
		expect([...files.readPieces("/workspace/a/link")].map((p) => p.length)).toEqual([524_288, 475_713]);
		files.rename("/workspace/a", "/workspace/z");
		expect([...files.walk("/")].map(({ path }) => path)).toEqual([
			"/artifacts",
			"/memory",
			"/skills",
			"/tmp",
			"/workspace",
			"/workspace/z",
			"/workspace/z/b",
			"/workspace/z/b/c.txt",
			"/workspace/z/link",
		]);
		files.removeTree("/workspace/z");
		expect(files.readDirectory("/workspace")).toEqual([]);
	});
});
