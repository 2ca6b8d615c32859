import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { loadSnapshot } from "../../src/db/snapshot";
import type { WorkspaceCalls } from "../../src/durable/workspace-calls";
import { workspaceContext } from "../../src/durable/workspace-context";
import { uuid7 } from "../../src/lib/uuid7";

/** Text and a pattern that are made to be slow: no literal to look for, and an automaton that grows with each letter. */
const noise = noiseOf(60_000);
const slow = { pattern: "a[ab]{20}[cd]", path: "." };

async function openWorkspace() {
	const object = env.WORKSPACE.getByName(crypto.randomUUID()) as unknown as WorkspaceCalls;
	const snapshot = await loadSnapshot(env.DB);
	const contextOf = (callId = uuid7()) =>
		workspaceContext({ allowLoopback: false }, snapshot, { workspace: "w", callId });
	const put = (path: string, content: string) => object.perform(contextOf(), "write_text", { path, content });
	for (const name of ["noise-1", "noise-2", "noise-3"]) await put(name, noise);
	await put("small", "x");
	return { object, contextOf, put };
}

function noiseOf(length: number): string {
	let state = 1;
	const letters = Array.from({ length }, () => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return (state >>> 16) % 80 === 0 ? "\n" : "ab".charAt((state >>> 20) & 1);
	});
	return letters.join("");
}

it("answers other calls of the workspace while a search goes on, and finds what it finds without them", async () => {
	const { object, contextOf, put } = await openWorkspace();
	const ended: string[] = [];
	const as = async <Reply>(name: string, call: Promise<Reply>): Promise<Reply> => {
		const reply = await call;
		ended.push(name);
		return reply;
	};
	const search = as("search", object.perform(contextOf(), "grep", slow));
	const read = await as("read", object.perform(contextOf(), "read_text", { path: "small" }));
	const written = await as("write", put("small", "y"));
	expect(await search).toMatchObject({ ok: true, value: { lines: [], stopped: undefined } });
	expect([read.ok, written.ok]).toEqual([true, true]);
	expect(ended).toEqual(["read", "write", "search"]);
});

it("ends a search when its call is stopped", async () => {
	const { object, contextOf } = await openWorkspace();
	const callId = uuid7();
	const search = object.perform(contextOf(callId), "grep", slow);
	await object.perform(contextOf(), "read_text", { path: "small" });
	await object.stopCall(callId);
	expect(await search).toMatchObject({ ok: false, code: "cancelled", gate: false });
});

it("goes on when a file that it has not come to is changed or gone", async () => {
	const { object, contextOf, put } = await openWorkspace();
	await put("z-kept", "needle");
	const search = object.perform(contextOf(), "grep", { ...slow, pattern: "a[ab]{20}[cd]|needle" });
	await put("z-kept", "other\nneedle\n");
	await object.perform(contextOf(), "remove", { path: "noise-3", directories: "none" });
	expect(await search).toMatchObject({
		ok: true,
		value: { lines: [{ path: "/workspace/z-kept", line: 2 }], filesSearched: 4 },
	});
});
