import * as z from "zod";

/** Every permission and what it lets a token do; `resource:*` and `*` stand for several. */
export const permissions = {
	"agent:list": "See agents and their prompts.",
	"agent:edit": "Make, change and delete agents.",
	"skill:list": "See and read skills.",
	"skill:edit": "Write and delete skills.",
	"turn:create": "Send a message to an agent.",
	"session:own": "See, cancel and delete the sessions that the token started.",
	"session:list": "See, cancel and delete everyone's sessions.",
	"tool:list": "See the tools and their schemas.",
	"tool:execute": "Run a tool; every gate holds all the same.",
	"workspace:read": "List workspaces, read and download their files, and see their jobs.",
	"workspace:edit": "Write, move and delete files, upload archives, and commit or roll back jobs.",
	"workspace:protected": "Change control files too (`.git/config`, `.env` and their like), where a request says so.",
	"model:test": "Send a test message to a language model.",
	"channel:list": "See notify channels and their deliveries; never their addresses or secrets.",
	"channel:edit": "Make, change and delete notify channels.",
	"channel:test": "Send a test message to a notify channel.",
	"whitelist:list": "See the FILE, SHELL and HTTP lists.",
	"whitelist:edit": "Add to and remove from the lists.",
	"policy:list": "See the tool policy.",
	"policy:edit": "Replace the tool policy.",
	"settings:list": "See the settings of the deployment.",
	"settings:edit": "Replace the settings of the deployment.",
	"secret:list": "See which secrets are stored; never their values.",
	"secret:edit": "Store, replace and delete secrets, and have one sent to a `provider.baseUrl`.",
	"token:list": "See the API tokens; never their values.",
	"token:edit": "Make and revoke API tokens, with no more rights than one's own and no later end.",
	"audit:own": "See what the token itself has called.",
	"audit:list": "See every tool invocation and model call, and export the invocations.",
} as const;
export type Permission = keyof typeof permissions;

/** What role `user` may do unless its token says otherwise (X45): list, execute, and look after its own. */
export const userPermissions: readonly Permission[] = [
	"agent:list",
	"skill:list",
	"tool:list",
	"tool:execute",
	"turn:create",
	"session:own",
	"audit:own",
];

const resources = new Set(Object.keys(permissions).map((name) => name.slice(0, name.indexOf(":"))));

/** A permission as a token holds it. */
export const permissionString = z
	.string()
	.max(64)
	.refine(
		(text) =>
			text === "*" || Object.hasOwn(permissions, text) || (text.endsWith(":*") && resources.has(text.slice(0, -2))),
		"No such permission; docs/permissions.md lists them.",
	);
