import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/lib/redact";
import type { ToolResult } from "../../src/shared/tool-result";
import { callTool, type Invocation, type ToolHost } from "../../src/tools/call";
import { defineTool, type Tool, type ToolContext } from "../../src/tools/tool";
import { court, echo, reach } from "../support/court";

const never = new AbortController().signal;

/** A host that keeps what it is told, over a court with the given tools. */
function host(over: Parameters<typeof court>[0] & { fail?: "intend" } = {}) {
	const log: { event: "intend" | "execute" | "record"; invocation?: Invocation; result?: ToolResult }[] = [];
	const artifacts: string[] = [];
	const made: ToolHost = {
		...court(over),
		redactor: createRedactor([{ name: "KEY", value: "canary-value-123" }]),
		now: () => new Date(1_000),
		open: (_call, _tool, signal) => {
			log.push({ event: "execute" });
			return { signal } as unknown as ToolContext;
		},
		intend: async (invocation) => {
			if (over.fail === "intend") throw new Error("No storage.");
			log.push({ event: "intend", invocation });
		},
		record: async (invocation, result) => {
			log.push({ event: "record", invocation, result });
		},
		keepArtifact: async (content) => `artifact-${artifacts.push(content)}`,
	};
	return { made, log, artifacts };
}

const asked = (name: string, value: unknown) => ({ id: "call-1", name, input: { ok: true, value } as const });
const with_ = (execute: Tool["execute"], over: Partial<Tool> = {}) => [
	defineTool({ ...echo, ...over, execute } as typeof echo),
];

describe("callTool", () => {
	it("records one row with digest, arguments and result", async () => {
		const { made, log } = host();
		expect(await callTool(made, asked("echo", { text: "hi" }), never)).toMatchObject({ success: true, content: "hi" });
		expect(log.map(({ event }) => event)).toEqual(["execute", "record"]);
		expect(log[1]?.invocation).toMatchObject({
			id: "call-1",
			toolName: "echo",
			inputJson: '{"text":"hi"}',
			success: true,
		});
		expect(log[1]?.invocation?.argumentDigest).toMatch(/^[0-9a-f]{64}$/);
	});

	it("records the intent of an effect before it happens", async () => {
		const { made, log } = host({ whitelist: { HTTP: ["example.com"] } });
		await callTool(made, asked("reach", { url: "https://example.com/" }), never);
		expect(log.map(({ event }) => event)).toEqual(["intend", "execute", "record"]);
		expect(log[0]?.invocation?.success).toBeUndefined();
	});

	it("does not act when the intent cannot be stored", async () => {
		const { made, log } = host({ whitelist: { HTTP: ["example.com"] }, fail: "intend" });
		await expect(callTool(made, asked("reach", { url: "https://example.com/" }), never)).rejects.toThrow("No storage.");
		expect(log).toEqual([]);
	});

	it("records a refusal with its gate and runs nothing", async () => {
		const { made, log } = host();
		expect(await callTool(made, asked("reach", { url: "https://example.com/" }), never)).toMatchObject({
			success: false,
			code: "not_listed",
			retryable: false,
			meta: { gate: "lists", reason: "host_not_allowed" },
		});
		expect(log.map(({ event }) => event)).toEqual(["record"]);
		expect(log[0]?.invocation).toMatchObject({ gate: "lists", code: "not_listed", success: false });
	});

	it("records an unknown tool", async () => {
		const { made, log } = host();
		expect(await callTool(made, asked("nothing", {}), never)).toMatchObject({ code: "unknown_tool" });
		expect(log[0]?.invocation).toMatchObject({ toolName: "nothing", gate: "resolve" });
	});

	it("takes known secrets out of arguments, results and errors", async () => {
		const leak = with_(async () => ({ success: true, content: "the key is canary-value-123" }));
		const told = host({ tools: leak });
		const result = await callTool(told.made, asked("echo", { text: "canary-value-123" }), never);
		const broken = host({ tools: with_(async () => Promise.reject(new Error("refused canary-value-123"))) });
		const failed = await callTool(broken.made, asked("echo", { text: "" }), never);
		expect(JSON.stringify([result, failed, told.log, broken.log])).not.toContain("canary-value-123");
		expect(result).toMatchObject({ content: "the key is [secret:KEY]" });
	});

	it("cuts a long result for the model and keeps the whole", async () => {
		const long = "x".repeat(2_500);
		const { made, artifacts } = host({ policy: { limits: { maxResultChars: 1_000 } } });
		const result = await callTool(made, asked("echo", { text: long }), never);
		expect(result).toMatchObject({
			success: true,
			meta: { truncated: true, totalChars: 2_500, artifactId: "artifact-1" },
		});
		expect(result.success && result.content.startsWith(`${"x".repeat(1_000)}\n[Cut here`)).toBe(true);
		expect(artifacts).toEqual([long]);
	});

	it("ends a tool that does not end, and says what is unknown", async () => {
		const hang = with_(() => new Promise(() => undefined));
		const slow = host({ tools: hang, policy: { limits: { timeoutSeconds: 1 } } });
		expect(await callTool(slow.made, asked("echo", { text: "" }), never)).toMatchObject({
			code: "timeout",
			retryable: true,
		});
		const writes = host({
			tools: with_(() => new Promise(() => undefined), { effects: "write", idempotent: false }),
			policy: { limits: { timeoutSeconds: 1 } },
		});
		expect(await callTool(writes.made, asked("echo", { text: "" }), never)).toMatchObject({
			code: "timeout",
			retryable: false,
			errorMessage: expect.stringContaining("unknown"),
		});
	});

	it("ends a tool whose turn is cancelled", async () => {
		const cancel = new AbortController();
		const { made } = host({ tools: with_(() => new Promise(() => cancel.abort())) });
		expect(await callTool(made, asked("echo", { text: "" }), cancel.signal)).toMatchObject({ code: "cancelled" });
	});

	it("makes a result of a tool that throws", async () => {
		const { made } = host({ tools: with_(async () => Promise.reject(new Error("broken"))) });
		expect(await callTool(made, asked("echo", { text: "" }), never)).toMatchObject({
			success: false,
			code: "internal",
			errorMessage: "echo failed: broken",
		});
	});

	it("refuses two tools of one name", () => {
		expect(() => court({ tools: [echo, { ...reach, name: "echo" }] })).toThrow("Two tools are named echo.");
	});
});
