import { Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import { operation } from "./operation";

const whoAmI = z.object({
	id: z.string(),
	name: z.string(),
	role: z.enum(["admin", "user"]),
	permissions: z.array(z.string()),
	defaultAgent: z.string().nullable(),
});

export const me = new Hono<AppEnv>().get(
	"/",
	operation({ tag: "identity", summary: "Who am I", answers: { 200: whoAmI } }),
	(c) => {
		const { id, name, role, permissions } = c.var.principal;
		return c.json({ id, name, role, permissions: [...permissions], defaultAgent: c.var.defaultAgent ?? null });
	},
);
