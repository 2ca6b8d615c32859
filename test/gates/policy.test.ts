import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeArguments, resolvePolicy, stricter } from "../../src/gates/policy";
import { type ArgumentRule, type PolicyAction, policyAction, policyDocument } from "../../src/shared/policy";

const policy = policyDocument.parse({
	default: "allow",
	groups: { http: "supervised", shell: "deny" },
	tools: { http_get: "allow", http_request: "deny", shell: "supervised" },
});
const actionOf = (tool: string, group: string, aliasOf?: string) => resolvePolicy(policy, { tool, group, aliasOf });

describe("resolvePolicy", () => {
	it("goes by tool, else by group, else by default", () => {
		expect(actionOf("http_get", "http")).toBe("allow");
		expect(actionOf("http_post", "http")).toBe("supervised");
		expect(actionOf("current_time", "utility")).toBe("allow");
		expect(actionOf("shell", "shell")).toBe("supervised");
	});

	it("holds an alias to its canonical tool, and takes the stricter where both are named", () => {
		expect(actionOf("fetch", "http", "http_request")).toBe("deny");
		expect(actionOf("http_get", "http", "http_request")).toBe("deny");
		expect(actionOf("http_request", "http", "http_get")).toBe("deny");
		expect(actionOf("http_get", "http", "http_post")).toBe("allow");
	});

	it("is not deceived by names that every object inherits", () => {
		expect(actionOf("constructor", "toString")).toBe("allow");
		expect(actionOf("x", "utility", "__proto__")).toBe("allow");
	});

	it("never lets an alias be laxer than a rule for either name", () => {
		const action = fc.constantFrom(...policyAction.options);
		fc.assert(
			fc.property(action, action, action, (own, canonical, fallback) => {
				const document = policyDocument.parse({ default: fallback, tools: { a: own, c: canonical } });
				const found = resolvePolicy(document, { tool: "a", aliasOf: "c", group: "g" });
				expect([stricter(found, own), stricter(found, canonical)]).toEqual([found, found]);
			}),
		);
	});
});

describe("judgeArguments", () => {
	const rule = (over: Partial<ArgumentRule>): ArgumentRule => ({
		tool: "http_*",
		path: "url",
		pattern: "*",
		action: "deny",
		...over,
	});
	const judge = (rules: ArgumentRule[], args: Record<string, unknown>, tool = "http_get") =>
		judgeArguments(policyDocument.parse({ argumentRules: rules }), tool, args)?.action;

	it("lets the first rule decide whose tool and pattern match", () => {
		const rules = [
			rule({ tool: "http_post", pattern: "*", action: "deny" }),
			rule({ pattern: "https://a.example/*", action: "allow" }),
			rule({ pattern: "https://*", action: "supervised" }),
		];
		expect(judge(rules, { url: "https://a.example/x" })).toBe("allow");
		expect(judge(rules, { url: "https://b.example/x" })).toBe("supervised");
		expect(judge(rules, { url: "https://a.example/x" }, "http_post")).toBe("deny");
		expect(judge(rules, { url: "ftp://b.example/x" })).toBeUndefined();
		expect(judge(rules, { url: "https://a.example/x" }, "shell")).toBeUndefined();
	});

	it("answers the rule, so that a refusal can name it", () => {
		const one = rule({ path: "method", pattern: "DELETE" });
		expect(judgeArguments({ argumentRules: [one] }, "http_request", { method: "DELETE" })).toEqual({
			action: "deny",
			rule: one,
		});
	});

	it("matches the whole value, letter case kept", () => {
		expect(judge([rule({ pattern: "https://a" })], { url: "https://ab" })).toBeUndefined();
		expect(judge([rule({ pattern: "https://A" })], { url: "https://a" })).toBeUndefined();
		expect(judge([rule({ pattern: "https://?" })], { url: "https://a" })).toBe("deny");
	});

	it.each([
		["headers.host", { headers: { host: "x" } }],
		['headers["x.y"]', { headers: { "x.y": "x" } }],
		["items[1]", { items: ["", "x"] }],
	])("reads nested arguments: %s", (path, args) => {
		expect(judge([rule({ path, pattern: "x" })], args)).toBe("deny");
	});

	it.each([
		["a number", 5, "5"],
		["a truth value", true, "true"],
		["null", null, "null"],
		["a list", ["b", 1], '["b",1]'],
		["an object, keys sorted", { b: 1, a: 2 }, '{"a":2,"b":1}'],
	])("matches %s by its JSON text", (_, value, pattern) => {
		expect(judge([rule({ pattern })], { url: value })).toBe("deny");
	});

	it.each(["missing", "url.length", "toString", "constructor", "url[0]", "..", "[", "__proto__.x"])(
		"matches nothing by a path that is not there: %s",
		(path) => {
			expect(judge([rule({ path })], { url: "https://a" })).toBeUndefined();
		},
	);
});

it("orders actions by strictness", () => {
	const actions: PolicyAction[] = ["deny", "supervised", "allow"];
	for (const [place, action] of actions.entries()) {
		for (const laxer of actions.slice(place))
			expect([stricter(action, laxer), stricter(laxer, action)]).toEqual([action, action]);
	}
});
