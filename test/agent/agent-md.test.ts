import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAgentMd, writeAgentMd } from "../../src/agent/agent-md";
import { agentProfile } from "../../src/shared/agent";

const whole = `---
name: reporter
description: Sends the daily report
identity:
  agent_name: Rita
  prompt: Be brief.
provider:
  name: deepseek
  model: deepseek-chat
  temperature: 0.2
  baseUrl: https://models.example.com/v1
  apiKey: \${DEEPSEEK_KEY}
tools: [http_get, "github__*", notify]
deny_tools:
  - http_post
mcp_servers: [github]
channels:
  - type: feishu
    chat: ops
bootstrap: [SOUL.md]
schedules:
  - {key: morning, name: Morning, cron: "0 9 * * *", zone: Europe/Oslo, message: Report!}
settings:
  max_iterations: 5
  max_history_turns: 3
---

You write the report.

Send it with notify to team-lark.
`;

describe("an AGENT.md", () => {
	it("is read whole", () => {
		expect(parseAgentMd(whole)).toMatchObject({
			name: "reporter",
			identity: { agent_name: "Rita", prompt: "Be brief." },
			provider: { name: "deepseek", apiKey: "${DEEPSEEK_KEY}" },
			tools: ["http_get", "github__*", "notify"],
			deny_tools: ["http_post"],
			channels: [{ type: "feishu", chat: "ops" }],
			bootstrap: ["SOUL.md"],
			schedules: [{ key: "morning", cron: "0 9 * * *", zone: "Europe/Oslo" }],
			settings: { max_iterations: 5, max_history_turns: 3, write_mode: "direct" },
			prompt: "You write the report.\n\nSend it with notify to team-lark.",
		});
	});

	it("loses nothing when it is written and read again", () => {
		const profile = parseAgentMd(whole);
		expect(parseAgentMd(writeAgentMd(profile))).toEqual(profile);
	});

	it("keeps any prompt and description to the letter", () => {
		const text = fc.string({ unit: "binary", maxLength: 200 });
		const lines = fc.array(fc.constantFrom("---", "", "# x", " ", "\r", "a: b", "\t", "..."), { maxLength: 8 });
		fc.assert(
			fc.property(
				fc.oneof(
					text,
					lines.map((parts) => parts.join("\n")),
				),
				text,
				(prompt, description) => {
					const profile = agentProfile.parse({ name: "a", prompt, description });
					expect(parseAgentMd(writeAgentMd(profile))).toEqual(profile);
				},
			),
			{ numRuns: 500 },
		);
	});

	it("reads what an editor on Windows has saved", () => {
		const profile = parseAgentMd("\uFEFF---\r\nname: a\r\ntools:\r\n---\r\nHello\r\n");
		expect(profile).toMatchObject({ name: "a", tools: [], prompt: "Hello" });
	});

	it.each([
		["no front matter", "You are helpful.", /must begin with front matter/],
		["a fence that is never closed", "---\nname: a\nYou are helpful.", /not closed/],
		["a list in place of fields", "---\n- a\n---\n", /field: value/],
		["broken YAML", "---\nname: [a\n---\n", /Line 3/],
		["a field twice", "---\nname: a\nname: b\n---\n", /unique/],
		["an unknown field", "---\nname: a\nnotify_channels: [x]\n---\n", /notify_channels/],
		["a prompt beside the body", "---\nname: a\nprompt: x\n---\n", /^prompt:/],
		["a name that would be a path", "---\nname: ../a\n---\n", /^name:/],
		[
			"a key in place of a reference to one",
			"---\nname: a\nprovider: {name: openai, apiKey: sk-123}\n---\n",
			/provider.apiKey: Write/,
		],
		["an alias", "---\nname: &a x\ndescription: *a\n---\n", /no aliases/],
		["a bomb of aliases", `---\na: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nname: *c\n---\n`, /no aliases/],
		["deep nesting", `---\nname: ${"[".repeat(20_000)}\n---\n`, /cannot be read/],
		["a tag", "---\nname: !!js/function x\n---\n", /cannot be read/],
		["a key that reaches a prototype", "---\nname: a\nprovider: {__proto__: {x: 1}}\n---\n", /__proto__/],
		["too much front matter", `---\nname: a\ndescription: ${"x".repeat(70_000)}\n---\n`, /longer than 65536/],
	])("is refused with %s", (_, text, message) => {
		expect(() => parseAgentMd(text)).toThrow(message);
	});
});
