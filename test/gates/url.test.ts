import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeUrl, type UrlRules } from "../../src/gates/url";

const listed = (...entries: string[]): UrlRules => ({ mode: "listed", entries, allowLoopback: false });
const open = (over: { entries?: string[]; allowLoopback?: boolean } = {}): UrlRules => ({
	mode: "public",
	allowLoopback: false,
	...over,
});
const reasonFor = (url: string, rules: UrlRules) => {
	const verdict = judgeUrl(url, rules);
	return verdict.ok ? "ok" : verdict.reason;
};
const messageFor = (url: string, rules: UrlRules) => {
	const verdict = judgeUrl(url, rules);
	return verdict.ok ? "" : verdict.message;
};

describe("judgeUrl on a list", () => {
	it("answers the canonical URL that the request must be sent to", () => {
		const verdict = judgeUrl("https://ⓔXAMPLE.org:443/a/../b?q=1", listed("example.org"));
		expect(verdict.ok && verdict.url.href).toBe("https://example.org/b?q=1");
	});

	it.each([
		["https://example.org/", "ok"],
		["http://example.org/", "scheme_not_allowed"],
		["https://example.org:8443/", "port_not_allowed"],
	])("opens https on the default port for a bare host: %s is %s", (url, reason) => {
		expect(reasonFor(url, listed("example.org"))).toBe(reason);
	});

	it.each([
		["http://example.org/", "ok"],
		["https://example.org/", "ok"],
		["http://example.org:8080/", "port_not_allowed"],
	])("opens plain http besides for an http:// entry: %s is %s", (url, reason) => {
		expect(reasonFor(url, listed("http://example.org"))).toBe(reason);
	});

	it.each([
		["https://example.org:8443/", "ok"],
		["https://example.org/", "port_not_allowed"],
		["http://example.org:8443/", "scheme_not_allowed"],
	])("opens the named port alone for an entry with a port: %s is %s", (url, reason) => {
		expect(reasonFor(url, listed("example.org:8443"))).toBe(reason);
	});

	it("takes entries of one host together", () => {
		const rules = listed("example.org", "example.org:8443", "http://example.org:8080");
		expect(reasonFor("https://example.org/", rules)).toBe("ok");
		expect(reasonFor("https://example.org:8443/", rules)).toBe("ok");
		expect(reasonFor("http://example.org:8080/", rules)).toBe("ok");
		expect(reasonFor("http://example.org/", rules)).toBe("port_not_allowed");
	});

	it("gives a wildcard's port and scheme to every name below it", () => {
		expect(reasonFor("http://a.b.example.org:8080/", listed("http://*.example.org:8080"))).toBe("ok");
		expect(reasonFor("https://a.b.example.org/", listed("http://*.example.org:8080"))).toBe("port_not_allowed");
	});

	it("finds nothing by an entry that cannot be read", () => {
		expect(reasonFor("https://a.org/", listed("*", "*.org", "https://a.org", "a.org/x", ""))).toBe("host_not_allowed");
	});

	it("takes an internationalised name in either spelling", () => {
		expect(reasonFor("https://xn--bcher-kva.example.org/", listed("*.example.org", "bücher.example.org"))).toBe("ok");
		expect(reasonFor("https://BÜCHER.example/", listed("bücher.example"))).toBe("ok");
	});
});

describe("a refusal", () => {
	it("names the HTTP list and the way to add the host", () => {
		expect(messageFor("https://evil.net/?key=K", listed("example.org"))).toBe(
			'evil.net is not on the HTTP list. To allow it: POST /api/v1/sandbox/whitelist/HTTP {"value":"evil.net"}.',
		);
	});

	it.each([
		["http://example.org/x", '{"value":"http://example.org"}'],
		["https://example.org:8443/x", '{"value":"example.org:8443"}'],
	])("shows the entry that would allow %s", (url, entry) => {
		expect(messageFor(url, listed("example.org"))).toContain(entry);
	});

	it("names the browser list when that is the one", () => {
		const message = messageFor("https://evil.net/", { ...listed(), list: "browser" });
		expect(message).toContain("evil.net is not on the browser list");
		expect(message).toContain("browser.allowedDomains");
	});

	it.each([
		"https://user:hunter2@evil.net/?hunter2#hunter2",
		"https://evil.net/hunter2?hunter2=hunter2#hunter2",
		"http://evil.net:81/hunter2?hunter2",
		"https://10.0.0.1/hunter2?hunter2",
		"https://localhost/hunter2",
		"https://a..b/hunter2",
		"https://evil.net/hunter2 ",
		"hunter2",
		"ftp://hunter2:hunter2@evil.net/hunter2",
	])("shows nothing secret of %s and always names its list", (url) => {
		const message = messageFor(url, listed("evil.net.example"));
		expect(message).toContain("HTTP list");
		expect(message).not.toContain("hunter2");
	});

	it.each(["http://127.0.0.1:11434/v1", "https://localhost/", "https://[::1]/"])(
		"says how %s is reached in development, and does so of this machine alone",
		(url) => {
			expect(messageFor(url, open())).toMatch(
				/refused, whatever is listed\. In development, ORYX_ALLOW_LOOPBACK=1 opens/,
			);
			expect(messageFor("https://10.0.0.1/", open())).not.toContain("ORYX_ALLOW_LOOPBACK");
		},
	);

	it("speaks of no entry where there is no list", () => {
		for (const url of ["http://example.org/", "https://example.org:81/", "https://8.8.8.8/"]) {
			expect(messageFor(url, open())).not.toContain("whitelist");
		}
	});
});

describe("judgeUrl in public mode", () => {
	it.each([
		["https://anything.example.org/x", "ok"],
		["http://anything.example.org/", "scheme_not_allowed"],
		["https://anything.example.org:8443/", "port_not_allowed"],
		["https://8.8.8.8/", "host_not_allowed"],
		["https://10.0.0.1/", "private_address"],
		["https://[::ffff:10.0.0.1]/", "private_address"],
		["https://metadata.google.internal/", "reserved_name"],
		["https://intranet/", "reserved_name"],
		["http://127.0.0.1:9000/", "private_address"],
		["http://localhost:9000/", "reserved_name"],
	])("opens public names by https: %s is %s", (url, reason) => {
		expect(reasonFor(url, open())).toBe(reason);
	});

	it("keeps open what the list allows besides", () => {
		const rules = open({ entries: ["http://old.example.org:8080", "8.8.8.8"] });
		expect(reasonFor("http://old.example.org:8080/", rules)).toBe("ok");
		expect(reasonFor("https://8.8.8.8/", rules)).toBe("ok");
	});

	it("reaches loopback, and nothing else private, in development", () => {
		const rules = open({ allowLoopback: true });
		expect(reasonFor("http://127.0.0.1:9000/", rules)).toBe("ok");
		expect(reasonFor("http://localhost:9000/", rules)).toBe("ok");
		expect(reasonFor("https://[::1]:9000/", rules)).toBe("ok");
		expect(reasonFor("http://192.168.0.1:9000/", rules)).toBe("private_address");
		expect(reasonFor("http://[::7f00:1]/", rules)).toBe("private_address");
		expect(reasonFor("http://printer.local/", rules)).toBe("reserved_name");
	});
});

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => `${labels.join(".")}.example`);
const entry = fc.tuple(fc.constantFrom("", "*."), domain).map(([star, name]) => star + name);

/** Built from the entries' own letters, so that near misses are common. */
const urlNear = (entries: readonly string[]) =>
	fc
		.tuple(
			fc.constantFrom("https://", "https:/", "http://", "HTTPS://", "https://u@", "https://evil.example/", ""),
			fc.array(
				fc.oneof(fc.constantFrom(...entries.map((text) => text.replace("*.", ""))), label, fc.string({ maxLength: 3 })),
				{
					maxLength: 3,
				},
			),
			fc.constantFrom(".", "", "@", "#", "?", "/", "\\", "%2e", "。", ":443", "\t"),
			fc.constantFrom("", "/", "/p?q#f", ":443/", ":8443", "."),
		)
		.map(([scheme, parts, glue, tail]) => scheme + parts.join(glue) + tail);

const urlBelow = (entries: readonly string[]) =>
	fc
		.tuple(
			fc.constantFrom("", "a.", "a.b.", "a", "-", "..", "*."),
			fc.constantFrom(...entries),
			fc.constantFrom("", "/p", ":443", ".", "x"),
		)
		.map(([front, text, tail]) => `https://${front}${text.replace("*.", "")}${tail}`);

describe("the URL gate as a whole", () => {
	it("never allows a host that is neither listed nor strictly below a listed wildcard", () => {
		const property = fc
			.array(entry, { minLength: 1, maxLength: 4 })
			.chain((entries) => fc.tuple(fc.constant(entries), fc.oneof(urlNear(entries), urlBelow(entries), fc.webUrl())));
		let allowed = 0;
		fc.assert(
			fc.property(property, ([entries, raw]) => {
				const verdict = judgeUrl(raw, listed(...entries));
				if (!verdict.ok) return;
				allowed++;
				const { hostname, protocol, port, username, password } = verdict.url;
				const isHeld = entries.some((text) =>
					text.startsWith("*.")
						? hostname.endsWith(text.slice(1)) && hostname.length > text.length - 1
						: hostname === text,
				);
				expect({ isHeld, protocol, port, username, password }).toEqual({
					isHeld: true,
					protocol: "https:",
					port: "",
					username: "",
					password: "",
				});
				expect(new URL(raw).hostname).toBe(hostname);
			}),
			{ numRuns: 3000 },
		);
		expect(allowed).toBeGreaterThan(100);
	});

	it("refuses every spelling of a private IPv4 address, listed or not", () => {
		const octet = fc.integer({ min: 0, max: 255 });
		const address = fc.oneof(
			fc.tuple(fc.constantFrom(0, 10, 127), octet, octet, octet),
			fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
			fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
			fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
			fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
		);
		const spell = fc.constantFrom<(o: readonly number[]) => string>(
			(o) => o.join("."),
			([a = 0, b = 0, c = 0, d = 0]) => String(((a * 256 + b) * 256 + c) * 256 + d),
			(o) => o.map((n) => `0x${n.toString(16)}`).join("."),
			(o) => o.map((n) => `0${n.toString(8)}`).join("."),
			([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
			([a = 0, b = 0, c = 0, d = 0]) => `[::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}]`,
			([a = 0, b = 0, c = 0, d = 0]) => `[64:ff9b::${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}]`,
			([a = 0, b = 0, c = 0, d = 0]) => `[2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::]`,
			(o) => `[::${o.join(".")}]`,
		);
		fc.assert(
			fc.property(address, spell, (octets, spelling) => {
				const host = spelling(octets);
				expect(reasonFor(`http://${host}/`, listed(host, `http://${host}`, octets.join(".")))).toBe("private_address");
				expect(reasonFor(`https://${host}/`, open())).toBe("private_address");
			}),
			{ numRuns: 1000 },
		);
	});

	it("never throws, and takes at most linear time", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary", maxLength: 200 }), (raw) => {
				judgeUrl(raw, listed("example.org"));
				judgeUrl(`https:${raw}`, open());
			}),
		);
		const started = performance.now();
		for (const unit of ["a", "/", "@", ".", "a.", "%61", "[", ":"])
			judgeUrl(`https:${unit.repeat(8000)}`, listed("a.b"));
		expect(performance.now() - started).toBeLessThan(500);
	});
});
