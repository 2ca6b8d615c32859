import * as z from "zod";
import { sessionIdSchema } from "./names";
import { toolResultView } from "./tool-result";

/** A tool as `GET /api/v1/tools` lists it. */
export const toolView = z.object({
	name: z.string(),
	group: z.string(),
	description: z.string(),
	inputSchema: z.record(z.string(), z.unknown()).describe("JSON Schema of the arguments."),
	aliases: z.array(z.string()).describe("Other names of the same behaviour, each with a schema of its own."),
	aliasOf: z.string().nullable(),
	origin: z.literal("builtin"),
	effects: z.enum(["read", "write", "external"]),
	idempotent: z.boolean(),
	callable: z.boolean(),
	available: z.boolean(),
	unavailableReason: z.string().nullable(),
});

/** What `POST /api/v1/tools/{name}/execute` takes. */
export const execution = z.strictObject({
	arguments: z.record(z.string(), z.unknown()).default({}),
	agent: z.string().max(64).optional().describe("Whose profile the call is judged by."),
	sessionId: sessionIdSchema.optional().describe("An existing session that the call is recorded under."),
	jobId: z.string().max(64).optional().describe("The job of the agent's workspace that takes the changes."),
});

export const executed = z.object({ invocationId: z.string(), ...toolResultView.shape });
