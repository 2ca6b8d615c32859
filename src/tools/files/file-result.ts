import { failure, type ToolResult } from "../../shared/tool-result";
import type { FileRefusal, FileReply } from "../../workspace/reply";

/** The result of a call on files: in `show`'s words when it was done, else why it was not. */
export function fileResult<Value>(reply: FileReply<Value>, show: (value: Value) => string): ToolResult {
	if (!reply.ok) return refusedResult(reply);
	const { value, jobId } = reply;
	return { success: true, content: show(value), ...(jobId !== undefined && { meta: { jobId } }) };
}

/** A refusal as the model reads it; one by a list stands in the audit under that gate. */
export const refusedResult = ({ code, message, reason, retryable, gate }: FileRefusal): ToolResult =>
	failure(code, message, { retryable, meta: { ...(gate && { gate: "lists" }), reason } });
