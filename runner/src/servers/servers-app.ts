import { type Context, Hono } from "hono";
import { serverId, serverSpec } from "../../../src/shared/runner-servers";
import { refuse } from "../refusal";
import type { HostedServer } from "./hosted-server";
import { isLauncher } from "./launcher";
import { mcpEndpoint } from "./mcp-endpoint";
import type { Servers } from "./servers";

export interface ServersAppOptions {
	readonly servers: Servers;
	/** Launchers that an administrator added. */
	readonly addedLaunchers?: readonly string[];
	/** How long an answer may take before a client gets the headers of a stream without it. */
	readonly streamAfterMs?: number;
}

/**
 * The hosted MCP servers: `PUT /{id}` puts a configuration in force, `POST`, `GET` and `DELETE /{id}` are MCP's own
 * streamable HTTP, and `/{id}/server` is the server behind it, to be looked at and removed.
 */
export function serversApp({ servers, addedLaunchers = [], streamAfterMs = 10_000 }: ServersAppOptions) {
	const find = (c: Context): HostedServer => {
		const server = servers.get(c.req.param("id") ?? "");
		if (!server) throw refuse("not_found", "The runner hosts no server of this id; put its configuration first.");
		return server;
	};
	return new Hono()
		.get("/", (c) => c.json({ servers: servers.list() }))
		.put("/:id", async (c) => {
			const id = parse(serverId, c.req.param("id"));
			const spec = parse(serverSpec, await c.req.json().catch(() => undefined));
			if (!isLauncher(spec.command, addedLaunchers)) {
				throw refuse("invalid_input", `${spec.command} is no launcher of MCP servers that this runner knows.`);
			}
			return c.json(await servers.put(id, spec));
		})
		.get("/:id/server", (c) => c.json(find(c).status()))
		.delete("/:id/server", async (c) => {
			if (!(await servers.remove(c.req.param("id")))) find(c);
			return c.body(null, 204);
		})
		.route("/", mcpEndpoint({ find, streamAfterMs }));
}

interface Parser<Output> {
	safeParse(
		input: unknown,
	):
		| { success: true; data: Output }
		| { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };
}

function parse<Output>(schema: Parser<Output>, input: unknown): Output {
	const parsed = schema.safeParse(input);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	throw refuse("invalid_input", `${issue?.path.join(".") || "The body"}: ${issue?.message ?? "not understood"}`);
}
