import { canonicalJson } from "../lib/canonical-json";
import { sha256Hex } from "../lib/hash";
import type { Redactor } from "../lib/redact";
import { failure, type ToolResult, textOf } from "../shared/tool-result";
import { type AskedCall, admit, type Court, type Gate, gates } from "./admit";
import type { Tool, ToolContext } from "./tool";

/** A call with an id that stays the same when it is run again after a crash. */
export interface ToolCall extends AskedCall {
	readonly id: string;
}

/** What the audit keeps of one call; redacted. `success` is undefined while the call is under way. */
export interface Invocation {
	readonly id: string;
	readonly toolName: string;
	readonly inputJson: string;
	readonly argumentDigest: string;
	readonly createdAt: Date;
	readonly success?: boolean;
	readonly resultJson?: string;
	readonly errorMessage?: string;
	readonly code?: string;
	readonly gate?: Gate;
	readonly durationMs?: number;
}

/** The court that decides, and the hands that act. */
export interface ToolHost extends Omit<Court, "countCalls"> {
	readonly redactor: Redactor;
	/** As the court's; the call itself is put where others count it, so that of many at once no more than the limit pass. */
	countCalls(tools: readonly string[], intent: Invocation): ReturnType<Court["countCalls"]>;
	/** Characters of this result that the model may read, where that is fewer than the policy says. */
	readonly resultRoom?: number;
	readonly now: () => Date;
	open(call: ToolCall, tool: Tool, signal: AbortSignal): Omit<ToolContext, "artifacts">;
	/** Stores that an effect is about to happen; the call is not run when this throws. */
	intend(invocation: Invocation): Promise<void>;
	/** Stores what came of the call. */
	record(invocation: Invocation, result: ToolResult): Promise<void>;
	/** Keeps the whole of a result that was cut and answers the artifact's id; undefined where there is no place for it. */
	keepArtifact(content: string): Promise<string | undefined>;
}

/**
 * Runs one tool call: every gate in order, then the tool, then the record. The only road to `execute`.
 * Whatever goes wrong with the call becomes a result that the model can read and act on; it throws only when the record cannot be stored.
 */
export async function callTool(host: ToolHost, call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
	const startedAt = host.now();
	const intent = await describeCall(host, call, startedAt);
	const verdict = await admit({ ...host, countCalls: (tools) => host.countCalls(tools, intent) }, call);
	if (!verdict.admitted) {
		const { gate, code, message, retryable, reason } = verdict.refusal;
		const result = failure(code, host.redactor.redact(message), {
			retryable,
			meta: { gate, ...(reason && { reason }) },
		});
		return await finish(host, intent, result, startedAt);
	}
	if (verdict.tool.effects !== "read") await host.intend(intent);
	const result = await runWithin(host, call, verdict.tool, verdict.input, signal);
	return await finish(host, intent, await shape(host, result), startedAt);
}

/** The audit row of a call before it has run. */
export async function describeCall(
	host: Pick<ToolHost, "redactor">,
	call: ToolCall,
	createdAt: Date,
): Promise<Invocation> {
	const input = call.input.ok ? canonicalJson(call.input.value) : JSON.stringify({ unparsed: call.input.reason });
	return {
		id: call.id,
		toolName: cut(host.redactor.redact(call.name), 128),
		inputJson: cut(host.redactor.redact(input), maxAuditChars),
		argumentDigest: await sha256Hex(`${call.name}\n${input}`),
		createdAt,
	};
}

/** Runs the tool until it ends, its deadline passes or the turn is cancelled. A tool that does not listen is left behind. */
async function runWithin(
	host: ToolHost,
	call: ToolCall,
	tool: Tool,
	input: Record<string, unknown>,
	cancelled: AbortSignal,
): Promise<ToolResult> {
	const { timeoutSeconds } = host.snapshot.policy.limits;
	const deadline = new AbortController();
	const timer = setTimeout(() => deadline.abort(), timeoutSeconds * 1000);
	const signal = AbortSignal.any([cancelled, deadline.signal]);
	const unsure = tool.effects === "read" ? "" : " Whether it took effect is unknown.";
	try {
		const artifacts = { keep: (text: string) => host.keepArtifact(host.redactor.redact(text)) };
		const ctx = { ...host.open(call, tool, signal), artifacts };
		return await Promise.race([tool.execute(ctx, input), aborted(signal)]);
	} catch (error) {
		if (cancelled.aborted) return failure("cancelled", `${call.name} was cancelled.${unsure}`);
		if (deadline.signal.aborted) {
			const retryable = tool.effects === "read";
			return failure("timeout", `${call.name} did not end within ${timeoutSeconds} seconds.${unsure}`, { retryable });
		}
		const message = error instanceof Error ? error.message : String(error);
		return failure("internal", `${call.name} failed: ${message}${unsure}`);
	} finally {
		clearTimeout(timer);
	}
}

function aborted(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason);
		signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
}

/** Takes secrets out, then cuts to what a model should read and keeps the rest as an artifact. */
async function shape(host: ToolHost, result: ToolResult): Promise<ToolResult> {
	const text = host.redactor.redact(textOf(result));
	const { resultRoom = Number.POSITIVE_INFINITY } = host;
	if (!result.success) return { ...result, errorMessage: cut(text, Math.min(maxErrorChars, resultRoom)) };
	const maxResultChars = Math.min(host.snapshot.policy.limits.maxResultChars, resultRoom);
	if (text.length <= maxResultChars) return { ...result, content: text };
	const artifactId = await host.keepArtifact(text);
	const notice = `\n[Cut here: the first ${maxResultChars} of ${text.length} characters. Ask for less, or for a narrower part.]`;
	const meta = { ...result.meta, truncated: true, totalChars: text.length, ...(artifactId && { artifactId }) };
	return { ...result, content: cut(text, maxResultChars) + notice, meta };
}

async function finish(host: ToolHost, intent: Invocation, result: ToolResult, startedAt: Date): Promise<ToolResult> {
	const durationMs = host.now().getTime() - startedAt.getTime();
	const timed: ToolResult = { ...result, meta: { ...result.meta, durationMs } };
	await host.record(outcomeOf(intent, timed), timed);
	return timed;
}

/** The audit row of a call that has ended, however it ended: refused by a gate before, or by a list while it ran. */
export function outcomeOf(intent: Invocation, result: ToolResult): Invocation {
	const gate = gates.find((name) => name === result.meta?.gate);
	return {
		...intent,
		...(gate && { gate }),
		success: result.success,
		resultJson: cut(JSON.stringify(result), maxAuditChars),
		...(result.meta?.durationMs !== undefined && { durationMs: result.meta.durationMs }),
		...(!result.success && { errorMessage: result.errorMessage, code: result.code }),
	};
}

/** A D1 row holds at most 2 MB; a character may take four bytes. */
const maxAuditChars = 200_000;
const maxErrorChars = 4_000;

/** The first `max` UTF-16 units, never half of a surrogate pair. */
function cut(text: string, max: number): string {
	if (text.length <= max) return text;
	const last = text.charCodeAt(max - 1);
	return text.slice(0, last >= 0xd800 && last < 0xdc00 ? max - 1 : max);
}
