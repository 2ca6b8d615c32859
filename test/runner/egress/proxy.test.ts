import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeServers, connectTo, openServers, world } from "./proxy-world";

beforeAll(openServers);
afterAll(closeServers);

describe("the proxy of a program", () => {
	it("carries bytes both ways to a listed host, at the address that it has resolved", async () => {
		await using proxy = await world(["example.com"], { "example.com": [["93.184.215.14", "2606:2800:21f::1"]] });
		const answer = await proxy.say(connectTo("example.com:443", "\x16\x03hello"), "hello");
		expect(answer).toBe("HTTP/1.1 200 Connection established\r\n\r\n\x16\x03hello");
		expect(proxy.dialled).toEqual(["93.184.215.14 443"]);
		await expect
			.poll(() => proxy.outcome())
			.toEqual({
				hosts: [{ host: "example.com", verdict: "allowed", bytes: 14 }],
				refusals: [],
			});
	});

	it.each<[string, string, string[]]>([
		["example.org:443", "host_not_allowed", ["example.com"]],
		["sub.example.com:443", "host_not_allowed", ["example.com"]],
		["example.com:443", "host_not_allowed", ["*.example.com"]],
		["example.com:443", "host_not_allowed", []],
		["example.com:22", "port_not_allowed", ["example.com"]],
		["example.com:80", "port_not_allowed", ["example.com", "http://example.com"]],
		["example.com:8443", "port_not_allowed", ["example.com", "example.com:8444"]],
		["93.184.215.14:443", "host_not_allowed", ["example.com"]],
		["10.0.0.1:443", "private_address", ["10.0.0.1"]],
		["169.254.169.254:443", "private_address", ["169.254.169.254"]],
		["168.63.129.16:443", "private_address", ["168.63.129.16"]],
		["127.0.0.1:443", "private_address", ["127.0.0.1"]],
		["127.1:443", "private_address", ["127.0.0.1"]],
		["2130706433:443", "private_address", ["127.0.0.1"]],
		["0x7f.0.0.1:443", "private_address", ["127.0.0.1"]],
		["0.0.0.0:443", "private_address", ["0.0.0.0"]],
		["[::1]:443", "private_address", ["[::1]"]],
		["[::ffff:127.0.0.1]:443", "private_address", ["127.0.0.1"]],
		["[fd00::1]:443", "private_address", ["[fd00::1]"]],
		["[fe80::1]:443", "private_address", ["[fe80::1]"]],
		["[64:ff9b::a00:1]:443", "private_address", ["[64:ff9b::a00:1]"]],
		["localhost:443", "reserved_name", ["localhost"]],
		["a.localhost:443", "reserved_name", ["*.localhost"]],
		["metadata.google.internal:443", "reserved_name", ["*.google.internal"]],
		["example.com.:443", "invalid_host", ["example.com"]],
	])("refuses CONNECT %s with %s, whatever it has listed", async (authority, reason, entries) => {
		await using proxy = await world(entries);
		const answer = await proxy.say(connectTo(authority));
		expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
		expect(proxy.dialled).toEqual([]);
		expect(proxy.outcome()).toMatchObject({ hosts: [{ verdict: reason, bytes: 0 }] });
	});

	it("says how an unlisted host is allowed", async () => {
		await using proxy = await world([]);
		await proxy.say(connectTo("example.org:443"));
		expect(proxy.outcome().refusals).toEqual([
			'example.org is not on the HTTP list. To allow it: POST /api/v1/sandbox/whitelist/HTTP {"value":"example.org"}.',
		]);
	});

	it.each([
		["a private address", ["10.1.2.3"]],
		["loopback", ["127.0.0.1"]],
		["loopback by IPv6", ["::1"]],
		["an address of a link", ["fe80::1%eth0"]],
		["a mapped one", ["::ffff:192.168.0.1"]],
		["one public address and a private one", ["93.184.215.14", "192.168.1.1"]],
		["the metadata of a cloud", ["169.254.169.254"]],
		["no address at all", []],
	])("dials nothing for a listed name that leads to %s", async (_, addresses) => {
		await using proxy = await world(["example.com"], { "example.com": [addresses] }, { allowLoopback: true });
		const answer = await proxy.say(connectTo("example.com:443"));
		expect(answer).toMatch(/^HTTP\/1\.1 (403|502) /);
		expect(proxy.dialled).toEqual([]);
		const verdict = addresses.length > 0 ? "private_address" : "unreachable";
		expect(proxy.outcome().hosts).toEqual([{ host: "example.com", verdict, bytes: 0 }]);
	});

	it("resolves a name once for each connection, and dials what it has checked", async () => {
		await using proxy = await world(["example.com"], { "example.com": [["93.184.215.14"], ["127.0.0.1"]] });
		expect(await proxy.say(connectTo("example.com:443", "one"), "one")).toContain("200 Connection established");
		expect(await proxy.say(connectTo("example.com:443", "two"), "two")).toContain("403 Forbidden");
		expect(proxy.dialled).toEqual(["93.184.215.14 443"]);
	});

	it("reaches loopback in development alone, where it is listed", async () => {
		const entries = ["localhost:9443"];
		const names = { localhost: [["127.0.0.1"]] };
		await using open = await world(entries, names, { allowLoopback: true });
		await using closed = await world(entries, names);
		expect(await open.say(connectTo("localhost:9443", "hi"), "hi")).toContain("200 Connection established");
		expect(await open.say(connectTo("127.0.0.1:9443"))).toContain("403 Forbidden");
		expect(await closed.say(connectTo("localhost:9443"))).toContain("403 Forbidden");
	});

	it.each<[string, string | Buffer]>([
		["a path", "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n"],
		["https without CONNECT", "GET https://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n"],
		["another scheme", "GET ftp://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n"],
		["CONNECT to a URL", "CONNECT https://example.com:443/ HTTP/1.1\r\nHost: example.com\r\n\r\n"],
		["CONNECT without a port", connectTo("example.com")],
		["CONNECT with a user", connectTo("example.com:443@evil.example:443")],
		["CONNECT with a user before", connectTo("user@example.com:443")],
		["CONNECT with a path", connectTo("example.com:443/..")],
		["CONNECT with a query", connectTo("example.com:443?x")],
		["CONNECT with a backslash", connectTo("example.com\\evil.example:443")],
		["CONNECT with two ports", connectTo("example.com:443:443")],
		["CONNECT with a port that is none", connectTo("example.com:99999")],
		["CONNECT with a zone", connectTo("[fe80::1%25eth0]:443")],
		["two lengths", "POST http://example.com/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
		[
			"a length and chunks",
			"POST http://example.com/ HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		],
		["a folded header", `CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n : b\r\n\r\n`],
		["a bare carriage return", "CONNECT example.com:443 HTTP/1.1\rHost: a\r\r"],
		["a NUL", "CONNECT exa\0mple.com:443 HTTP/1.1\r\n\r\n"],
		["TLS", Buffer.from("16030100f8010000f40303aabbccdd", "hex")],
		["noise", Buffer.from("00ff0a0d0a0dfffe0102030405", "hex")],
		["SOCKS", Buffer.from("050100", "hex")],
		["an endless head", `CONNECT example.com:443 HTTP/1.1\r\nx: ${"a".repeat(100_000)}\r\n\r\n`],
	])("dials nothing for %s", async (_, bytes) => {
		await using proxy = await world(["example.com", "http://example.com"], {}, { limits: { headMs: 500 } });
		const answer = await proxy.say(bytes);
		expect(answer).not.toContain("200 ");
		expect(proxy.dialled).toEqual([]);
	});

	it("lets go of who never ends a head", async () => {
		await using proxy = await world(["example.com"], {}, { limits: { headMs: 300 } });
		const socket = proxy.open();
		const timer = setInterval(() => socket.write("x-slow: loris\r\n"), 50);
		socket.write("CONNECT example.com:443 HTTP/1.1\r\n");
		await new Promise<void>((closed) =>
			socket
				.on("end", () => socket.end())
				.on("close", () => closed())
				.resume(),
		);
		clearInterval(timer);
		expect(proxy.dialled).toEqual([]);
	});

	it("serves on when hundreds have connected and hang", async () => {
		await using proxy = await world(["example.com"]);
		const hanging = Array.from({ length: 300 }, () => proxy.open());
		const cut = hanging.filter((socket) => socket.resume().on("end", () => socket.destroy()));
		await expect.poll(() => cut.filter((socket) => socket.closed).length).toBeGreaterThanOrEqual(172);
		for (const socket of hanging) socket.destroy();
		await expect.poll(() => proxy.say(connectTo("example.com:443", "hi"), "hi")).toContain("200 ");
	});

	it("cuts off who moves more bytes than it may, and says so", async () => {
		await using proxy = await world(["example.com"], {}, { limits: { maxBytes: 300_000 } });
		const answer = await proxy.say(connectTo("example.com:443", "x".repeat(5_000_000)));
		expect(answer.length).toBeLessThan(400_000);
		expect(proxy.outcome().refusals).toEqual(["The program moved more than 300000 bytes, and was cut off."]);
		expect(await proxy.say(connectTo("example.com:443", "again"))).toBe("");
	});

	it("keeps what was reached before what was refused, fifty hosts at most", async () => {
		await using proxy = await world(["example.com"]);
		for (let index = 0; index < 70; index++) await proxy.say(connectTo(`h${index}.example.org:443`));
		await proxy.say(connectTo("example.com:443", "hi"), "hi");
		const { hosts, refusals } = proxy.outcome();
		expect(hosts).toHaveLength(50);
		expect(hosts[0]).toMatchObject({ host: "example.com", verdict: "allowed" });
		expect(refusals).toHaveLength(10);
	});

	it("is gone with its run: no file, no listener, no connection", async () => {
		const proxy = await world(["example.com"]);
		const socket = proxy.open();
		const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
		socket.on("end", () => socket.destroy());
		socket.write(connectTo("example.com:443"));
		await new Promise((resolve) => socket.once("data", resolve));
		expect(statSync(path.dirname(proxy.socket)).mode & 0o777).toBe(0o700);
		await proxy[Symbol.asyncDispose]();
		await closed;
		expect(existsSync(proxy.socket)).toBe(false);
		expect(readdirSync(path.dirname(proxy.socket))).toEqual([]);
		expect(await proxy.say(connectTo("example.com:443"))).toBe("");
	});
});
