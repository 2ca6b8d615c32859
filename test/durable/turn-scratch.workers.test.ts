import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually";
import { call } from "../support/workers/api";
import { makeAgent, session } from "../support/workers/session";

const scopesIn = (workspace: string) =>
	runInDurableObject(env.WORKSPACE.getByName(workspace), (_, { storage }) =>
		storage.sql.exec("SELECT scope FROM scratch").toArray(),
	);

it.each([
	'/write_file {"path":"/tmp/a","content":"x"}',
	'/shell {"command":"echo x > /tmp/a"}',
	'/download_file {"url":"https://files.example/a","path":"/tmp/a"}',
])("drops the /tmp of a turn that has ended: %s", async (line) => {
	await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "files.example" } });
	await call("/api/v1/sandbox/whitelist/SHELL", { body: { value: "echo" } });
	const agent = await makeAgent();
	const own = session();
	await own.useFetch(async () => new Response("x"));
	const view = await own.run(agent, line);
	expect(view).toMatchObject({ status: "completed" });
	expect(JSON.stringify(view)).not.toContain('"success":false');
	await eventually(
		() => scopesIn(agent),
		(scopes) => scopes.length === 0,
	);
});
