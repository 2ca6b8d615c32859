import { describe, expect, it } from "vitest";
import { admit, type Court } from "../../src/tools/admit";
import { court } from "../support/court";

const ask = (at: Court, name: string, value: unknown = {}) => admit(at, { name, input: { ok: true, value } });

async function refusal(at: Court, name: string, value?: unknown) {
	const verdict = await ask(at, name, value);
	return verdict.admitted ? undefined : verdict.refusal;
}

describe("admit", () => {
	it("lets a listed, allowed, well-formed call through, extras stripped", async () => {
		expect(await ask(court(), "echo", { text: "hi", more: 1 })).toMatchObject({
			admitted: true,
			input: { text: "hi" },
		});
	});

	it("suggests the nearest name for an unknown tool", async () => {
		expect(await refusal(court(), "ecko", {})).toMatchObject({
			gate: "resolve",
			code: "unknown_tool",
			message: expect.stringContaining("echo"),
			retryable: true,
		});
		expect((await refusal(court(), "zzz", {}))?.message).toContain("GET /api/v1/tools");
	});

	it.each([
		["no entry", { tools: [] }],
		["another tool", { tools: ["reach"] }],
		["a denial beside the entry", { tools: ["echo"], deny_tools: ["echo"] }],
		["a glob that denies", { tools: ["*"], deny_tools: ["e*"] }],
		["a denial of another face of it", { tools: ["*"], deny_tools: ["say_again"] }],
	])("refuses a tool whose profile has %s", async (_, profile) => {
		expect(await refusal(court({ profile }), "echo", { text: "" })).toMatchObject({
			gate: "profile",
			code: "not_in_profile",
		});
	});

	it("lists an alias and its canonical tool together", async () => {
		expect(await ask(court({ profile: { tools: ["say_again"] } }), "echo", { text: "x" })).toMatchObject({
			admitted: true,
		});
		expect(await ask(court({ profile: { tools: ["echo"] } }), "say_again", { words: "x" })).toMatchObject({
			admitted: true,
		});
	});

	it("says why a tool cannot serve here", async () => {
		expect(await refusal(court(), "needs_runner", { text: "" })).toMatchObject({
			gate: "available",
			code: "unavailable",
			message: "It needs the runner, and none is configured.",
		});
	});

	it.each([
		["the tool", { tools: { echo: "deny" } }],
		["its group", { groups: { utility: "deny" } }],
		["everything", { default: "deny" }],
	] as const)("refuses what the policy denies by %s", async (_, policy) => {
		expect(await refusal(court({ policy }), "echo", { text: "" })).toMatchObject({
			gate: "policy",
			code: "policy_denied",
		});
	});

	it("asks the tool before its group and the group before the default", async () => {
		const policy = { default: "deny", groups: { utility: "deny" }, tools: { echo: "allow" } } as const;
		expect(await ask(court({ policy }), "echo", { text: "" })).toMatchObject({ admitted: true });
		expect(
			await ask(court({ policy: { default: "deny", groups: { utility: "allow" } } }), "echo", { text: "" }),
		).toMatchObject({ admitted: true });
	});

	it("holds a policy on the canonical tool against its alias", async () => {
		expect(await refusal(court({ policy: { tools: { echo: "deny" } } }), "say_again", { words: "" })).toMatchObject({
			gate: "policy",
		});
	});

	it("refuses arguments off the schema as something the model can mend", async () => {
		expect(await refusal(court(), "echo", { text: 1 })).toMatchObject({
			gate: "schema",
			code: "invalid_arguments",
			retryable: true,
			message: expect.stringContaining("text"),
		});
		const unread = await admit(court(), { name: "echo", input: { ok: false, reason: "They are not valid JSON." } });
		expect(unread).toMatchObject({
			admitted: false,
			refusal: { gate: "schema", message: expect.stringContaining("not valid JSON") },
		});
	});

	it("applies the first argument rule that matches, to an alias by its canonical arguments too", async () => {
		const rule = { tool: "echo", path: "text", pattern: "secret*", action: "deny" } as const;
		const at = court({ policy: { argumentRules: [rule] } });
		expect(await refusal(at, "echo", { text: "secret plan" })).toMatchObject({
			gate: "argument_rules",
			code: "argument_denied",
		});
		expect(await refusal(at, "say_again", { words: "secret plan" })).toMatchObject({ gate: "argument_rules" });
		expect(await ask(at, "echo", { text: "open plan" })).toMatchObject({ admitted: true });
		const first = { ...rule, pattern: "secret but fine", action: "allow" } as const;
		expect(
			await ask(court({ policy: { argumentRules: [first, rule] } }), "echo", { text: "secret but fine" }),
		).toMatchObject({ admitted: true });
	});

	it.each([
		["HTTP", { url: "https://example.com/" }],
		["FILE", { file: "/data/a.txt" }],
		["SHELL", { command: "ls" }],
	])("takes an empty %s list for a denial, and names the list", async (list, input) => {
		expect(await refusal(court(), "reach", input)).toMatchObject({
			gate: "lists",
			code: "not_listed",
			message: expect.stringContaining(list),
		});
	});

	it("lets through what each list holds", async () => {
		const whitelist = { HTTP: ["example.com"], FILE: ["notes.txt"], SHELL: ["ls"] };
		expect(
			await ask(court({ whitelist }), "reach", { url: "https://example.com/", file: "notes.txt", command: "ls" }),
		).toMatchObject({ admitted: true });
	});

	it("refuses a call over a rate limit, every face of the tool counted", async () => {
		const policy = { limits: { toolCallsPerMinute: { echo: 2 } } };
		expect(await refusal(court({ policy, counts: { all: 2, tool: 2 } }), "say_again", { words: "" })).toMatchObject({
			gate: "limits",
			code: "rate_limited",
			retryable: true,
		});
		expect(await ask(court({ policy, counts: { all: 2, tool: 1 } }), "say_again", { words: "" })).toMatchObject({
			admitted: true,
		});
		expect(
			await refusal(court({ policy: { limits: { callsPerMinute: 2 } }, counts: { all: 2, tool: 0 } }), "echo", {
				text: "",
			}),
		).toMatchObject({ gate: "limits" });
	});

	it("refuses a supervised call with a clear reason, after every other gate", async () => {
		const policy = { tools: { echo: "supervised", reach: "supervised" } } as const;
		expect(await refusal(court({ policy }), "echo", { text: "" })).toMatchObject({
			gate: "approval",
			code: "approval_required",
		});
		expect(await refusal(court({ policy }), "reach", { url: "https://example.com" })).toMatchObject({ gate: "lists" });
		const rule = { tool: "echo", path: "text", pattern: "*", action: "supervised" } as const;
		expect(await refusal(court({ policy: { argumentRules: [rule] } }), "echo", { text: "x" })).toMatchObject({
			gate: "approval",
		});
	});
});
