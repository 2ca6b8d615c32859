import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { ResultMeta } from "../../../src/shared/tool-result";
import { call } from "./api";
import { makeAgent } from "./session";

/** What a call meets: the lists, what else is in its workspace, and what the world answers. */
export interface Surroundings {
	/** `ls` alone without it. */
	readonly shell?: readonly string[];
	/** Empty without it. */
	readonly http?: readonly string[];
	readonly memoryAcl?: boolean;
	/** By name, in the root. */
	readonly files?: Readonly<Record<string, string>>;
	readonly page?: string;
}

/** The answer of `POST /api/v1/tools/{tool}/execute`. */
export interface Answered {
	readonly status: number;
	readonly success: boolean;
	readonly content: string;
	readonly errorMessage: string | null;
	readonly code: string | null;
	readonly retryable: boolean;
	readonly meta: ResultMeta;
}

/** The call's row in D1. */
export interface AuditRow {
	readonly tool_name: string;
	readonly agent: string;
	readonly success: number;
	readonly code: string | null;
	readonly gate: string | null;
	readonly error_message: string | null;
	readonly result_json: string;
}

export interface Outcome {
	readonly answer: Answered;
	readonly rows: readonly AuditRow[];
	/** The whole workspace as a tar: names, modes, times, links and every byte. */
	readonly before: string;
	readonly after: string;
	/** URLs that the world was asked for. */
	readonly reached: readonly string[];
}

export const root = "/workspace/oryxos";
export const secret = "the neighbour's secret";

/** Programs of the workspace that would leave a trace if one of them ran. */
const canaries = ["ls", "rm", "sh", "id", "x", "a"];

const layOut = `
mkdir -p oryxos/sub oryxos/kept/deep oryxos-evil ORYXOS
printf a > oryxos/a.txt; printf b > oryxos/sub/b.txt; printf x > oryxos/f
printf remembered > oryxos/MEMORY.md; printf remembered > oryxos/kept/deep/memory.md
printf "${secret}" > oryxos-evil/secret; printf "${secret}" > ORYXOS/a.txt
cd oryxos
ln -s ../oryxos-evil ln; ln -s ln ln2; ln -s /nonexistent/x dang; ln -s /workspace/oryxos-evil/secret abs
ln -s ../.. up; ln -s sub in; ln -s loop loop; ln -s .git gitlink; ln -s kept/deep/memory.md memlink
for name in ${canaries.join(" ")}; do
	printf '#!/bin/bash\\necho ran > ${root}/ran\\n' > $name; chmod 755 $name
done`;

/** Puts a list in place as a whole, as an administrator's changes one by one would. */
const putList = (category: string, values: readonly string[]) =>
	env.DB.batch([
		env.DB.prepare("DELETE FROM sandbox_whitelist WHERE category = ?").bind(category),
		...values.map((value) =>
			env.DB.prepare("INSERT INTO sandbox_whitelist (category, value, created_at) VALUES (?, ?, 0)").bind(
				category,
				value,
			),
		),
		env.DB.prepare("UPDATE config_version SET version = version + 1"),
	]);

async function done(request: ReturnType<typeof call>) {
	const answer = await request;
	if (answer.status > 299) throw new Error(answer.text);
	return answer;
}

const putSettings = (settings: object) => done(call("/api/v1/settings", { method: "PUT", body: settings }));

async function execute(agent: string, tool: string, args: object): Promise<Answered & { invocationId: string }> {
	const { status, json } = await call(`/api/v1/tools/${tool}/execute`, { body: { agent, arguments: args } });
	return { ...(json as Answered & { invocationId: string }), status };
}

/** A new agent whose workspace has the corpus's folder, its neighbour, and links of every kind between them. */
async function makeWorld(files: Readonly<Record<string, string>>): Promise<string> {
	const agent = await makeAgent();
	await putList("SHELL", ["mkdir", "printf", "ln", "chmod"]);
	const laid = await execute(agent, "shell", { command: layOut });
	if (laid.meta.exitCode !== 0) throw new Error(laid.content);
	for (const [name, text] of Object.entries({ ...controlFiles, ...files })) {
		const url = `/api/v1/workspaces/${agent}/files?path=oryxos/${name}&protected=allow`;
		await done(call(url, { method: "PUT", body: text }));
	}
	return agent;
}

const controlFiles = { ".env": "KEY=1", ".git/config": "[core]", ".git/HEAD": "ref: refs/heads/main" };

async function contentsOf(agent: string): Promise<string> {
	const { bytes } = await done(call(`/api/v1/workspaces/${agent}/archive?path=/workspace`));
	return new TextDecoder("latin1").decode(bytes);
}

interface World {
	readonly agent: string;
	readonly contents: string;
}

/** The last world, while no call has changed it. */
let standing: World | undefined;

async function worldWith(files: Readonly<Record<string, string>>): Promise<World> {
	const isPlain = Object.keys(files).length === 0;
	if (isPlain && standing) return standing;
	const agent = await makeWorld(files);
	const world = { agent, contents: await contentsOf(agent) };
	if (isPlain) standing = world;
	return world;
}

/** Makes one call over the API in a world of its own or one that nobody has changed, and tells everything that came of it. */
export async function callIn(around: Surroundings, tool: string, args: object): Promise<Outcome> {
	const { shell = ["ls"], http = [], memoryAcl = false, files = {}, page = "reached" } = around;
	const { agent, contents: before } = await worldWith(files);
	await putList("SHELL", shell);
	await putList("HTTP", http);
	await putSettings({ files: { root }, memory: { aclEnabled: memoryAcl } });
	const reached: string[] = [];
	vi.stubGlobal("fetch", async (request: unknown) => {
		reached.push(String(request));
		return new Response(page, { headers: { "content-type": "text/html" } });
	});
	const { invocationId, ...answer } = await execute(agent, tool, args);
	vi.unstubAllGlobals();
	await putSettings({});
	const rows = await env.DB.prepare("SELECT * FROM tool_invocations WHERE id = ?").bind(invocationId).all<AuditRow>();
	const after = await contentsOf(agent);
	if (after !== before) standing = undefined;
	return { answer, rows: rows.results, before, after, reached };
}
