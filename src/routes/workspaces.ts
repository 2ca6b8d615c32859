import { Hono } from "hono";
import type { AppEnv } from "../app-env";
import { directWorkspace, workspaceOf } from "../durable/workspace-context";
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
		summary: "List the workspaces",
		description:
			"By name: one for each agent unless its profile names another, and `default`, in which an administrator's direct calls work. Names are free: a workspace that no agent has can be used by its name, and is not listed.",
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
	return [...new Set([...byName.keys(), directWorkspace])]
		.map((name) => ({ name, agents: (byName.get(name) ?? []).map((profile) => profile.name).sort() }))
		.sort((left, right) => (left.name < right.name ? -1 : 1));
}
