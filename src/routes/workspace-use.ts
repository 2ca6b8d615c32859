import type { Context } from "hono";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import type { WorkspaceCalls } from "../durable/workspace-calls";
import { workspaceContext } from "../durable/workspace-context";
import { workspaceObject } from "../durable/workspace-files";
import { uuid7 } from "../lib/uuid7";
import { AppError, type AppErrorCode } from "../shared/errors";
import { resourceName } from "../shared/names";
import { hasPermission } from "../shared/principal";
import type { ToolErrorCode } from "../shared/tool-result";
import type { WorkspaceContext } from "../workspace/context";
import type { FileRefusal, FileReply } from "../workspace/reply";

/** Which workspace a path of the API names. One that nobody has written to yet is empty. */
export const workspaceParam = z.strictObject({ name: resourceName });

/** In which job a request reads or writes. */
export const jobQuery = z.strictObject({
	job: z.string().min(1).max(64).optional().describe("A job's id: its changes are seen, and changes go into it."),
});

/** What a request that changes files may say besides. */
export const changeQuery = jobQuery.extend({
	protected: z.literal("allow").optional().describe("Control files may be changed; needs `workspace:protected`."),
});

/** The object of a workspace and the rules for one use of it, which are those of a tool call. Throws `forbidden` for what the token may not ask. */
export async function useWorkspace(
	c: Context<AppEnv>,
	name: string,
	query: z.output<typeof jobQuery> & Partial<z.output<typeof changeQuery>> = {},
): Promise<{ object: WorkspaceCalls; context: WorkspaceContext }> {
	const { deployment, principal } = c.var;
	const mayWriteProtected = query.protected === "allow";
	if (mayWriteProtected && !hasPermission(principal, "workspace:protected")) {
		throw new AppError(
			"forbidden",
			"protected=allow needs the permission workspace:protected, which your token does not hold.",
		);
	}
	const context = workspaceContext(deployment, await c.var.loadSnapshot(), {
		workspace: name,
		callId: uuid7(),
		target: query.job === undefined ? { mode: "direct" } : { mode: "job", jobId: query.job },
		mayWriteProtected,
	});
	return { object: workspaceObject(deployment, name), context };
}

/** What a workspace answered. Throws AppError for a refusal, whose `details.reason` is the exact word. */
export function answerOf<Value>(reply: FileReply<Value>): Value {
	if (reply.ok) return reply.value;
	const { reason, retryable, paths } = reply;
	throw new AppError(codeOf(reply), reply.message, { details: { reason, retryable, ...(paths && { paths }) } });
}

function codeOf({ code, reason }: FileRefusal): AppErrorCode {
	if (reason === "precondition_failed") return "precondition_failed";
	// What no path can be is the client's slip, whoever noticed.
	if (reason === "invalid_path") return "invalid_input";
	return codes[code] ?? "internal";
}

const codes: Readonly<Partial<Record<ToolErrorCode, AppErrorCode>>> = {
	not_listed: "forbidden",
	not_found: "not_found",
	conflict: "conflict",
	interrupted: "conflict",
	too_large: "too_large",
	invalid_arguments: "invalid_input",
	unavailable: "unavailable",
	timeout: "unavailable",
};
