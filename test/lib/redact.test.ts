import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, type KnownSecret } from "../../src/lib/redact";

const value = 'p@ss "w/rd" ü+1?&x';
const redactor = createRedactor([{ name: "API_KEY", value }]);
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a known value", () => {
	it.each([
		["as it is", value],
		["in base64", base64(value)],
		["in base64url", Buffer.from(value).toString("base64url")],
		["URL-encoded", encodeURIComponent(value)],
		["URL-encoded in lower case", encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase())],
		["as a form field", new URLSearchParams([["", value]]).toString().slice(1)],
		["in JSON", JSON.stringify(value).slice(1, -1)],
		["in JSON in JSON", JSON.stringify(JSON.stringify(value)).slice(3, -3)],
		["in ASCII JSON", JSON.stringify(value).slice(1, -1).replace("ü", "\\u00fc")],
		["in JSON with slashes escaped", JSON.stringify(value).slice(1, -1).replaceAll("/", "\\/")],
	])("is taken out %s", (_, form) => {
		expect(redactor.redact(`before ${form} after`)).toMatch(/^before \[secret:API_KEY\]=* after$/);
	});

	it("is taken out of a longer piece of base64, wherever it stands", () => {
		for (const user of ["", "u", "us", "use"]) {
			const shown = redactor.redact(base64(`${user}:${value}:tail`));
			expect(shown).toContain("[secret:API_KEY]");
			for (let from = 0; from < 4; from++) {
				const decoded = Buffer.from(shown.replace(/\[secret:API_KEY\]/, "").slice(from), "base64").toString();
				expect(decoded).not.toContain("w/rd");
			}
		}
	});

	it("goes by the longest where several begin at one place", () => {
		const two = createRedactor([
			{ name: "SHORT", value: "abcd1234" },
			{ name: "LONG", value: "abcd1234efgh" },
		]);
		expect(two.redact("abcd1234efgh abcd1234")).toBe("[secret:LONG] [secret:SHORT]");
	});

	it("has regular expression characters that mean nothing", () => {
		const odd = createRedactor([{ name: "ODD", value: "a.c*(x)[y]$^|\\" }]);
		expect(odd.redact("a.c*(x)[y]$^|\\ abc")).toBe("[secret:ODD] abc");
		expect(createRedactor([{ name: "DOLLAR", value: "$&$1aaaa" }]).redact("x$&$1aaaay")).toBe("x[secret:DOLLAR]y");
	});

	it("that is hardly a secret is left alone", () => {
		const small = createRedactor([
			{ name: "EMPTY", value: "" },
			{ name: "ON", value: "on" },
		]);
		expect(small.redact("on and on")).toBe("on and on");
	});

	it("is all that is taken out of what a person wrote", () => {
		expect(redactor.redactKnown(`https://h/?key=K ${value}`)).toBe("https://h/?key=K [secret:API_KEY]");
	});
});

describe("the shape of a secret", () => {
	const bare = createRedactor([]);

	it.each([
		["fetch failed https://u:p@h/?key=K", "fetch failed https://[redacted]@h/?key=[redacted]"],
		["postgres://admin:p@ss@db:5432/x", "postgres://[redacted]@db:5432/x"],
		["https://ghx0@github.com/a/b", "https://[redacted]@github.com/a/b"],
		["/cb?a=1&access_token=abc.def&b=2#f", "/cb?a=1&access_token=[redacted]&b=2#f"],
		["?X-Amz-Signature=00ff&x=1", "?X-Amz-Signature=[redacted]&x=1"],
		['{"url":"https://h/?apiKey=abc"}', '{"url":"https://h/?apiKey=[redacted]"}'],
		["Authorization: Bearer abc123.def-456", "Authorization: Bearer [redacted]"],
		["authorization: basic dXNlcjpwYXNz", "authorization: basic [redacted]"],
		["authorization: Basic dXNlcjpwYXNzMQ==", "authorization: Basic [redacted]"],
		["OPENAI sk-proj-abcdefghij0123456789 end", "OPENAI sk-[redacted] end"],
		["ghp_0123456789abcdefghij0123456789abcdef", "ghp_[redacted]"],
		["AKIA0123456789ABCDEF", "AKIA[redacted]"],
		["xoxb-123456789012-abcdefghijkl", "xoxb-[redacted]"],
		["jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def end", "jwt [redacted] end"],
		["https://open.feishu.cn/open-apis/bot/v2/hook/0a1b-2c", "https://open.feishu.cn/open-apis/bot/v2/hook/[redacted]"],
		["https://open.larksuite.com/open-apis/bot/hook/0a1b", "https://open.larksuite.com/open-apis/bot/hook/[redacted]"],
		[
			"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=693a91f6",
			"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=[redacted]",
		],
		[
			"https://oapi.dingtalk.com/robot/send?access_token=ab&timestamp=1&sign=x%2F",
			"https://oapi.dingtalk.com/robot/send?access_token=[redacted]&timestamp=1&sign=[redacted]",
		],
		["https://hooks.slack.com/services/T0/B0/abc", "https://hooks.slack.com/services/[redacted]"],
		[
			"https://discord.com/api/webhooks/123/ab-c_d?wait=true",
			"https://discord.com/api/webhooks/123/[redacted]?wait=true",
		],
		[
			"https://api.telegram.org/bot123456:AAabcdefghijklmnopqrstuvwxyz012345/sendMessage",
			"https://api.telegram.org/bot123456:[redacted]/sendMessage",
		],
		[
			"https://api.pushover.net/1/messages.json?token=azGDORePK8&user=uQi",
			"https://api.pushover.net/1/messages.json?token=[redacted]&user=uQi",
		],
	])("is blanked in %s", (text, shown) => {
		expect(bare.redact(text)).toBe(shown);
	});

	it.each([
		"Bearer authentication is a basic understanding of tokens",
		"sorted(items, key=len) and <li key={id}>",
		"git clone ssh://git@github.com/a/b.git",
		"https://registry.npmjs.org/@scope/pkg?version=1",
		"npm_config_registry_something_long_value",
		"risk-assessment-of-many-words-in-a-row",
		"the token is missing; a secret: none",
		"mail me@example.org, 12:30//15:00@noon",
		"hf_hub_download_of_everything",
	])("is not seen in %s", (text) => {
		expect(bare.redact(text)).toBe(text);
	});

	it("leaves the marker of a known value as it is", () => {
		const known = createRedactor([{ name: "KEY", value: "abcd1234" }]);
		expect(known.redact("https://h/?key=abcd1234 Bearer abcd1234")).toBe(
			"https://h/?key=[secret:KEY] Bearer [secret:KEY]",
		);
	});
});

describe("a stream", () => {
	const pieces = (text: string, cuts: readonly number[]) => {
		const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
		return [...at, text.length].map((end, index) => text.slice(index === 0 ? 0 : at[index - 1], end));
	};
	const run = (secrets: readonly KnownSecret[], chunks: readonly string[]) => {
		const stream = createRedactor(secrets).stream();
		return chunks.map((chunk) => stream.push(chunk)).join("") + stream.end();
	};
	// Few letters, so that values overlap, repeat and begin inside each other.
	const secretValue = fc.string({ unit: fc.constantFrom("a", "b", "/", "ü"), minLength: 4, maxLength: 12 });
	const secrets = fc
		.array(secretValue, { maxLength: 4 })
		.map((values) => values.map((text, n) => ({ name: `N${n}`, value: text })));

	it("lets no known value through, however it is cut, and shows what the whole text would", () => {
		fc.assert(
			fc.property(
				secrets.chain((known) => {
					const forms = known.flatMap(({ value: text }) => [
						text,
						text.slice(0, -1),
						text.slice(1),
						base64(text),
						encodeURIComponent(text),
					]);
					const part = fc.oneof(
						fc.constantFrom("a", "b", "/", " ", "ü", "?key=", "Bearer ", "sk-", ...forms),
						fc.string({ maxLength: 3 }),
					);
					return fc.tuple(fc.constant(known), fc.array(part, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 12 }));
				}),
				([known, parts, cuts]) => {
					const text = parts.join("");
					const shown = run(known, pieces(text, cuts));
					expect(shown).toBe(createRedactor(known).redact(text));
					for (const { value: secret } of known) {
						expect(shown).not.toContain(secret);
						expect(shown).not.toContain(encodeURIComponent(secret));
						expect(shown).not.toContain(base64(secret).replace(/=+$/, ""));
					}
				},
			),
			{ numRuns: 2000 },
		);
	});

	it.each([
		"https://u:p@h/?key=K&x=1 end",
		"Authorization: Bearer abc123.def-456",
		"a ghp_0123456789abcdefghij0123456789abcdef b",
	])("finds a secret's shape when it comes letter by letter: %s", (text) => {
		expect(run([], [...text])).toBe(createRedactor([]).redact(text));
	});

	it("shows at once what can be no secret, and holds back the rest", () => {
		const stream = createRedactor([{ name: "KEY", value: "敏感的钥匙" }]).stream();
		expect(stream.push("Good morning, ")).toBe("Good morning, ");
		expect(stream.push("你好敏感")).toBe("你好");
		expect(stream.push("吗？")).toBe("敏感吗？");
		expect(stream.push("敏感的钥")).toBe("");
		expect(stream.push("匙。")).toBe("[secret:KEY]。");
		expect(stream.push("敏")).toBe("");
		expect(stream.end()).toBe("敏");
		expect(stream.end()).toBe("");
	});

	it("does not wait for a word that never ends", () => {
		const stream = createRedactor([]).stream();
		let shown = 0;
		for (let n = 0; n < 1000; n++) shown += stream.push("abcdefghij").length;
		expect(shown).toBeGreaterThan(5000);
	});
});

describe("the cost of redaction", () => {
	it("hardly grows with the number of secrets", () => {
		const many = Array.from({ length: 300 }, (_, n) => ({
			name: `S${n}`,
			value: `secret-${n}-${"x".repeat(30)}${n * 7919}`,
		}));
		const text = 'The quick brown fox {"a": "https://example.org/?x=1"} 敏捷\n'.repeat(2000);
		const timeOf = (known: readonly KnownSecret[]) => {
			const made = createRedactor(known);
			made.redact(text);
			const started = performance.now();
			for (let n = 0; n < 5; n++) made.redact(text);
			return performance.now() - started;
		};
		expect(timeOf(many)).toBeLessThan(20 * timeOf(many.slice(0, 1)) + 50);
	});

	it("stays linear on hostile text", () => {
		const made = createRedactor([{ name: "KEY", value: `${"a".repeat(200)}b` }]);
		const started = performance.now();
		for (const unit of ["a", "://", "?", "&", "Bearer ", "?token", "eyJ.", "sk-", "/bot1", "x-"]) {
			made.redact(unit.repeat(Math.ceil(100_000 / unit.length)));
		}
		expect(performance.now() - started).toBeLessThan(3000);
	});
});
