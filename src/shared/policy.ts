import * as z from "zod";

export const policyAction = z.enum(["allow", "deny", "supervised"]);
export type PolicyAction = z.output<typeof policyAction>;

/** A rule over one argument: `path` as in json_extract (`url`, `headers.host`), `pattern` a glob (`*` any run, `?` one). */
export const argumentRule = z.strictObject({
	tool: z.string().min(1).max(128).describe("Tool name or glob."),
	path: z.string().min(1).max(200),
	pattern: z.string().max(1_000),
	action: policyAction,
});
export type ArgumentRule = z.output<typeof argumentRule>;

export const autoApproveRule = z.strictObject({
	tool: z.string().min(1).max(128),
	command_pattern: z.string().max(1_000).optional(),
	path_pattern: z.string().max(1_000).optional(),
	url_pattern: z.string().max(1_000).optional(),
	args_pattern: z.string().max(1_000).optional(),
});

export const policyDocument = z.strictObject({
	default: policyAction.default("allow"),
	groups: z.record(z.string().max(64), policyAction).default({}),
	tools: z.record(z.string().max(128), policyAction).default({}),
	/** In order; the first whose tool and pattern match decides. */
	argumentRules: z.array(argumentRule).max(500).default([]),
	autoApprove: z.array(autoApproveRule).max(200).default([]),
	approval: z
		.strictObject({
			timeoutSeconds: z.number().int().min(1).max(86_400).default(300),
			onTimeout: z.enum(["deny", "allow"]).default("deny"),
			notifyChannel: z.string().max(128).optional(),
		})
		.prefault({}),
	limits: z
		.strictObject({
			/** Calls a minute per principal, all tools together; absent means no limit. */
			callsPerMinute: z.number().int().min(1).optional(),
			/** Calls a minute per principal and tool. */
			toolCallsPerMinute: z.record(z.string().max(128), z.number().int().min(1)).default({}),
			/** The longest one call may run. */
			timeoutSeconds: z.number().int().min(1).max(600).default(60),
			/** Characters of one result that reach the model; the rest is kept as an artifact. */
			maxResultChars: z.number().int().min(1_000).max(400_000).default(50_000),
		})
		.prefault({}),
});
export type PolicyDocument = z.output<typeof policyDocument>;
