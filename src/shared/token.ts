import * as z from "zod";
import { instant } from "./instant";
import { resourceName } from "./names";
import { permissionString } from "./permissions";

export const newTokenRequest = z
	.strictObject({
		name: z.string().trim().min(1).max(128).describe("What the token is for."),
		role: z.enum(["admin", "user"]).default("user"),
		permissions: z
			.array(permissionString)
			.max(100)
			.optional()
			.describe("For role user, in place of what the role has."),
		defaultAgent: resourceName.optional().describe("The agent whose profile applies when a tool call names none."),
		expiresAt: instant.optional(),
	})
	.refine(({ role, permissions }) => role === "user" || permissions === undefined, {
		path: ["permissions"],
		error: "Role admin holds every permission; leave the list out, or make the role user.",
	});

export const tokenView = z.object({
	id: z.string(),
	name: z.string(),
	role: z.enum(["admin", "user"]),
	permissions: z.array(z.string()),
	defaultAgent: z.string().nullable(),
	createdAt: z.date(),
	expiresAt: z.date().nullable(),
});

/** The one answer that holds the token itself. */
export const madeToken = tokenView.extend({ token: z.string().describe("Shown now and never again.") });
