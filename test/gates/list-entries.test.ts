import { describe, expect, it } from "vitest";
import { normaliseEntry } from "../../src/gates/list-entries";
import { judgeUrl } from "../../src/gates/url";
import { AppError } from "../../src/shared/errors";

describe("an HTTP entry", () => {
	it.each([
		["api.example.org", "api.example.org"],
		["API.Example.ORG", "api.example.org"],
		["*.Example.org", "*.example.org"],
		["bücher.example", "xn--bcher-kva.example"],
		["example.org:8443", "example.org:8443"],
		["example.org:443", "example.org"],
		["http://example.org", "http://example.org"],
		["HTTP://example.org:8080", "http://example.org:8080"],
		["http://*.example.org", "http://*.example.org"],
		["1.1.1.1", "1.1.1.1"],
		["[2606:4700:4700:0:0:0:0:1111]:8443", "[2606:4700:4700::1111]:8443"],
		["127.0.0.1:9000", "127.0.0.1:9000"],
		["http://127.0.0.1:9000", "http://127.0.0.1:9000"],
		["localhost:9000", "localhost:9000"],
		["[::1]:9000", "[::1]:9000"],
	])("is stored in one spelling: %s as %s", (value, stored) => {
		expect(normaliseEntry("HTTP", value)).toBe(stored);
		expect(normaliseEntry("HTTP", stored)).toBe(stored);
	});

	it.each([
		["https://example.org", "Leave out"],
		["example.org/path", "no path"],
		["http://example.org/", "no path"],
		["user@example.org", "no path, query, userinfo"],
		["ftp://example.org", "no scheme but"],
		["exa mple.org", "blank"],
		["*", "http.readMode"],
		["*.org", "at least two labels"],
		["foo.*.org", "only in front"],
		["*foo.org", "only in front"],
		["intranet", "full domain name"],
		["example.org.", "without empty labels"],
		["-", "full domain name"],
		["exa%6dple.org", "Write the host alone"],
		["10.0.0.1", "Private"],
		["[fe80::1]", "Private"],
		["2130706434:80:90", "one port"],
		["fd00::1", "brackets"],
		["example.org:", "one port"],
		["example.org:70000", "between 1 and 65535"],
		["printer.local", "local network"],
		["*.1.1.1.1", "nothing below"],
		["", "empty"],
		[" example.org", "blanks"],
		["exam\u200bple.org", "invisible"],
		["exam\nple.org", "control"],
		[`${"a".repeat(64)}.org`, "no host name"],
		["a".repeat(2000), "longer than"],
	])("is refused with the fix: %j", (value, words) => {
		expect(() => normaliseEntry("HTTP", value)).toThrow(AppError);
		expect(() => normaliseEntry("HTTP", value)).toThrow(words);
	});

	it("that was stored is one that the gate reads", () => {
		const stored = normaliseEntry("HTTP", "http://*.Bücher.example:8080");
		const verdict = judgeUrl("http://a.bücher.example:8080/", {
			mode: "listed",
			entries: [stored],
			allowLoopback: false,
		});
		expect(verdict.ok).toBe(true);
	});
});

describe("a FILE entry", () => {
	it.each([
		["/tmp/oryxos/", "/tmp/oryxos"],
		["/a//b/./c", "/a/b/c"],
		["notes/drafts/", "notes/drafts"],
		["./notes", "notes"],
		["/", "/"],
		[".", "."],
		["my notes", "my notes"],
	])("is stored in one spelling: %s as %s", (value, stored) => {
		expect(normaliseEntry("FILE", value)).toBe(stored);
	});

	it.each([
		["../etc", 'without ".."'],
		["/workspace/../etc", 'without ".."'],
		["~/notes", "~"],
		["file:///etc", "not a URL"],
		["C:\\x", 'by "/"'],
		["a\u0000b", "control"],
	])("is refused with the fix: %j", (value, words) => {
		expect(() => normaliseEntry("FILE", value)).toThrow(words);
	});
});

describe("a SHELL entry", () => {
	it.each(["ls", "python3", "/usr/bin/git", "./run.sh", "g++", "foo-bar_2.1"])("is a literal command: %s", (value) => {
		expect(normaliseEntry("SHELL", value)).toBe(value);
	});

	it.each([
		"ls -la",
		"a;b",
		"a|b",
		"$(id)",
		"`id`",
		"a\nb",
		"'ls'",
		"a*",
		"-x",
		"PATH=x",
		"a>b",
		"a&",
		"a\\b",
		"~/x",
		"",
	])("is refused when it is more than a word: %j", (value) => {
		expect(() => normaliseEntry("SHELL", value)).toThrow(AppError);
	});
});
