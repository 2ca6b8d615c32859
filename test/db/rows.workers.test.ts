import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunk } from "../../src/db/chunk";
import { pageOf } from "../../src/db/page";
import { policyOf, rowsOfPolicy } from "../../src/db/policy";
import { policyDocument } from "../../src/shared/policy";

describe("chunks", () => {
	it("bind at most 100 values each and lose no row", () => {
		fc.assert(
			fc.property(fc.array(fc.integer(), { maxLength: 300 }), fc.integer({ min: 1, max: 100 }), (rows, columns) => {
				const chunks = chunk(rows, columns);
				expect(chunks.flat()).toEqual(rows);
				expect(chunks.every((part) => part.length > 0 && part.length * columns <= 100)).toBe(true);
			}),
		);
	});
});

describe("a page", () => {
	it("names the key to go on after only when there is more", () => {
		expect(pageOf(["a", "b", "c"], 2, String)).toEqual({ items: ["a", "b"], next: "b" });
		expect(pageOf(["a", "b"], 2, String)).toEqual({ items: ["a", "b"], next: undefined });
		expect(pageOf([], 2, String)).toEqual({ items: [], next: undefined });
	});
});

describe("a policy", () => {
	it("is the same after it was stored in rows", () => {
		const rule = (at: number) => ({ tool: "*", path: "url", pattern: `${at}`, action: "deny" as const });
		const policy = policyDocument.parse({
			default: "supervised",
			groups: { http: "deny" },
			tools: { notify: "allow", constructor: "deny" },
			argumentRules: Array.from({ length: 12 }, (_, at) => rule(at)),
			autoApprove: [{ tool: "shell", command_pattern: "ls *" }],
			approval: { timeoutSeconds: 5, onTimeout: "allow" },
			limits: { callsPerMinute: 3, toolCallsPerMinute: { notify: 1 } },
		});
		const rows = rowsOfPolicy(policy).sort((a, b) => `${a.scope}${a.name}`.localeCompare(`${b.scope}${b.name}`));
		expect(policyOf(rows)).toEqual(policy);
	});

	it("that cannot be read is no policy", () => {
		expect(() => policyOf([{ scope: "tool", name: "notify", value: "maybe" }])).toThrow();
	});
});
