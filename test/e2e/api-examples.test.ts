import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiOf } from "../support/node/api-client";
import { type LocalSite, openSite } from "../support/node/local-site";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";
import { paste } from "../support/node/paste";
import { root } from "../support/node/source";

let home: Home;
let oryx: OryxProcess;
let site: LocalSite;

beforeAll(async () => {
	site = await openSite("<h1>Tides</h1><p>High water at 14:05.</p>");
	home = await makeHome();
	oryx = await startOryx(home);
}, 120_000);

afterAll(async () => {
	await oryx?.kill();
	home?.discard();
	await site?.close();
});

/** Routes that the page leaves out: the documentation, a result that was cut, and what only refuses. */
const left = new Set([
	"GET /docs",
	"GET /api/v1/sessions/{id}/artifacts/{artifact}",
	...["PUT", "PATCH", "DELETE"].map((method) => `${method} /api/v1/tools/{name}`),
]);

/** Pages whose commands need nothing but a server that is new. */
const pages = globSync("docs/*.md", { cwd: root }).filter((page) => blocksOf(page, "bash")[0]?.includes("oryx() {"));

it.each(pages)("every command of %s works as it stands, and answers what is shown", async (page) => {
	const commands = blocksOf(page, "bash").join("\n");
	const { screen, errors, code } = await paste(commands, { ...home.environment, SITE: site.address });
	expect({ errors, code }, screen.slice(-2_000)).toEqual({ errors: "", code: 0 });
	for (const shown of blocksOf(page, "text")) expect(screen).toContain(shown.trimEnd());
});

it("every route is among the commands of docs/api.md", async () => {
	expect(site.visits.map(({ method, path }) => `${method} ${path}`)).toEqual([
		"POST /hook",
		"GET /tides",
		"POST /hook",
	]);
	const { paths } = await apiOf(home)<{ paths: Record<string, object> }>("GET", "/openapi.json");
	const routes = Object.entries(paths).flatMap(([route, methods]) =>
		Object.keys(methods).map((method) => `${method.toUpperCase()} ${route}`),
	);
	const shown = requestsIn(oryx.output());
	expect(routes.filter((route) => !left.has(route) && !shown.has(route))).toEqual([]);
});

/** The code of one language on a page, block by block. */
function blocksOf(page: string, language: string): string[] {
	const blocks = [...readFileSync(path.join(root, page), "utf8").matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)];
	return blocks.filter(([, name]) => name === language).map(([, , code = ""]) => code);
}

/** Method and route of what the server's log says it was asked. */
function requestsIn(log: string): Set<string> {
	const lines = log.split("\n").filter((line) => line.startsWith('{"event":"request"'));
	const requests = lines.map((line) => JSON.parse(line) as { method: string; route: string });
	return new Set(requests.map(({ method, route }) => `${method} ${route.replace(/:(\w+)/g, "{$1}")}`));
}
