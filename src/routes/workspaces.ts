import { Hono } from "hono";
import type { AppEnv } from "../app-env";
import { workspaceOf } from "../durable/workspace-context";
import { pageOf } from "../shared/page";
import type { Snapshot } from "../shared/snapshot";
import { workspaceView } from "../shared/workspace";
import { operation } from "./operation";
import { answerPage, pageQuery } from "./page";
import { validate } from "./validate";

export const workspaces = new Hono<AppEnv>().get(
	"/",
	operation({
		tag: "workspaces",
		summary: "List the agents' workspaces",
		description:
			"By name. An agent has one of its own unless its profile names another. Names are free: a workspace that no agent has can be used by its name, and is not listed.",
		permission: "workspace:read",
		answers: { 200: pageOf(workspaceView) },
	}),
	validate("query", pageQuery),
	async (c) => {
		const { limit, cursor: after } = c.req.valid("query");
		const all = workspacesOf(await c.var.loadSnapshot()).filter(({ name }) => after === undefined || name > after);
		const items = all.slice(0, limit);
		const next = all.length > limit ? items.at(-1)?.name : undefined;
		return c.json(
			answerPage({ items, next }, (workspace) => workspace),
			200,
		);
	},
);

function workspacesOf({ agents }: Pick<Snapshot, "agents">) {
	const byName = Map.groupBy(agents.values(), workspaceOf);
	return [...byName]
		.map(([name, profiles]) => ({ name, agents: profiles.map((profile) => profile.name).sort() }))
		.sort((left, right) => (left.name < right.name ? -1 : 1));
}
