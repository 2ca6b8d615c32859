import { env } from "cloudflare:workers";
import { connect } from "../../../src/db/client";
import type { Invocation } from "../../../src/db/tool-invocations";
import { insertInvocations } from "../../../src/db/write-invocations";
import { uuid7 } from "../../../src/lib/uuid7";

/** An audit row, made at a time. */
export const invocation = (at: string, over: Partial<Invocation> = {}): Invocation => ({
	id: uuid7(Date.parse(at)),
	sessionId: "s-1",
	toolName: "http_get",
	inputJson: "{}",
	resultJson: '{"success":true}',
	success: true,
	errorMessage: null,
	durationMs: 5,
	createdAt: new Date(at),
	agent: "ops",
	turnId: null,
	principal: "admin",
	code: null,
	gate: null,
	argumentDigest: "0".repeat(64),
	...over,
});

export const store = (rows: readonly Invocation[]) => insertInvocations(connect(env.DB), rows);
