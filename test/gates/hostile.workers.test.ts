import { describe, expect, it } from "vitest";
import * as z from "zod";
import { open, seal } from "../../src/lib/seal";
import own from "../fixtures/gates/hostile.json" with { type: "json" };
import { hostileCase, judgeHostile } from "./judge-hostile";

/** The gate decides on what the parser makes of a URL, and workerd has a parser of its own. */
describe("our own hostile requests, in workerd", () => {
	it.each(z.array(hostileCase).parse(own))("$id: $expect.decision, $expect.reason", async (one) => {
		const { decision, reason, sent } = await judgeHostile(one);
		expect({ decision, reason }).toEqual({ decision: one.expect.decision, reason: one.expect.reason });
		if (one.expect.canonical_host)
			expect(sent.map(({ url }) => new URL(url).hostname)).toEqual([one.expect.canonical_host]);
	});
});

it("seals and opens with workerd's cryptography", async () => {
	const key = btoa("k".repeat(32));
	expect(await open(key, "secrets|A|value", await seal(key, "secrets|A|value", "hunter2"))).toBe("hunter2");
});
