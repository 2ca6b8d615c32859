import { describe, expect, it } from "vitest";
import { assemblePrompt } from "../../src/agent/prompt";

const nothing = { skills: [], memory: "" };
const sections = (prompt: string) => prompt.split("\n\n# ");

describe("assemblePrompt", () => {
	it("begins with the profile's own text and lays the ground rules below it", () => {
		const prompt = assemblePrompt({ name: "harbour", prompt: " Watch the tide.\n" }, nothing);
		expect(prompt).toMatch(/^Watch the tide\.\n\n# Ground rules\n\nYou act only through the tools/);
	});

	it("says who the agent is where the profile has an identity, and names it where it has no text at all", () => {
		const identity = { agent_name: "Ryx", prompt: "Be terse." };
		const role = (profile: Parameters<typeof assemblePrompt>[0]) => sections(assemblePrompt(profile, nothing))[0];
		expect(role({ name: "a", prompt: "Search.", identity })).toBe("You are Ryx.\n\nBe terse.\n\nSearch.");
		expect(role({ name: "a", prompt: "", identity: { agent_name: "Ryx" } })).toBe("You are Ryx.");
		expect(role({ name: "a", prompt: "" })).toBe("You are a, a helpful agent.");
	});

	it("names skills with what they are for, and adds what is remembered at the end", () => {
		const skills = [{ name: "triage", description: "How to sort issues." }];
		const parts = sections(assemblePrompt({ name: "a", prompt: "" }, { skills, memory: "- High water at 14:05" }));
		expect(parts).toHaveLength(4);
		expect(parts[2]).toMatch(/^Skills\n\n.*read_skill.*\n\n- triage: How to sort issues\.$/);
		expect(parts[3]).toMatch(/^Memory\n\n.*\n\n- High water at 14:05$/);
	});

	it("gives the same bytes for the same configuration", () => {
		const make = () => assemblePrompt({ name: "a", prompt: "p" }, { skills: [], memory: "m" });
		expect(make()).toBe(make());
	});
});
