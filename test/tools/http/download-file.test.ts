import { describe, expect, it } from "vitest";
import { workspaceWorld } from "../../support/node/workspace-world";

const worldOf = (answer: (url: string) => Response, more: object = {}) =>
	workspaceWorld({
		texts: { "/workspace/old": "old" },
		whitelist: { HTTP: ["a.example", "b.example"] },
		http: ["a.example", "b.example"],
		answer: ({ url }) => answer(url),
		...more,
	});

const bytes = (size: number) => new Uint8Array(size).fill(120);

describe("download_file", () => {
	it("stores what comes, whatever it is, and says what it was", async () => {
		const body = new Uint8Array([0, 255, 1]);
		const world = await worldOf(() => new Response(body, { headers: { "content-type": "image/png" } }));
		expect(await world.call("download_file", { url: "https://a.example/p.png", path: "img/p.png" })).toMatchObject({
			success: true,
			content: "Stored https://a.example/p.png as /workspace/img/p.png: 3 bytes, image/png.",
			meta: { httpStatus: 200 },
		});
		expect(await world.onFiles((files) => [...files.read("/workspace/img/p.png")])).toEqual([0, 255, 1]);
	});

	it("stores more than a response that is shown may have", async () => {
		const world = await worldOf(() => new Response(bytes(3_000_000)));
		expect(await world.said("download_file", { url: "https://a.example/x", path: "x" })).toContain("3000000 bytes");
	});

	it("names the URL that answered after redirects", async () => {
		const world = await worldOf((url) =>
			url.includes("b.example")
				? new Response("x")
				: new Response(null, { status: 302, headers: { location: "https://b.example/y" } }),
		);
		expect(await world.said("download_file", { url: "https://a.example/x", path: "x" })).toContain(
			"https://b.example/y",
		);
	});

	it.each<[string, () => Response, object, object]>([
		["an error page", () => new Response("no", { status: 404 }), {}, { code: "upstream", retryable: false }],
		["a passing error", () => new Response("no", { status: 503 }), {}, { code: "upstream", retryable: true }],
		[
			"more than a file may have",
			() => new Response(bytes(2_000)),
			{ settings: { files: { maxFileBytes: 1_000 } } },
			{ code: "too_large" },
		],
		[
			"a body that breaks off",
			() =>
				new Response(
					new ReadableStream({
						start(controller) {
							controller.enqueue(bytes(10));
						},
						pull: () => Promise.reject(new Error("reset")),
					}),
				),
			{},
			{ code: "upstream", retryable: true },
		],
		[
			"a redirect to elsewhere",
			() => new Response(null, { status: 302, headers: { location: "https://evil.net/" } }),
			{},
			{ code: "not_listed", meta: { gate: "lists" } },
		],
	])("stores nothing of %s", async (_, answer, more, expected) => {
		const world = await worldOf(answer, more);
		const before = await world.tree();
		const result = await world.call("download_file", { url: "https://a.example/x", path: "old" });
		expect(result).toMatchObject({ success: false, ...expected });
		expect(await world.tree()).toEqual(before);
	});

	it.each([
		["https://evil.net/x", "x", "host_not_allowed"],
		["https://a.example/x", "/etc/x", "outside_root"],
		["https://a.example/x", ".git/config", "protected_path"],
	])("asks for nothing when %s to %s is refused", async (url, path, reason) => {
		const world = await worldOf(() => {
			throw new Error("No request was expected.");
		});
		expect(await world.call("download_file", { url, path })).toMatchObject({
			success: false,
			code: "not_listed",
			meta: { gate: "lists", reason },
		});
	});
});
