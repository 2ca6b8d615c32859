import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../scripts/free-port";
import { closeServers, heard, openServers, world } from "./proxy-world";

beforeAll(openServers);
afterAll(closeServers);

describe("plain http through the proxy", () => {
	const get = (url: string, more = "") => `GET ${url} HTTP/1.1\r\nHost: other.example\r\n${more}\r\n`;

	it("is refused unless an entry says http", async () => {
		await using proxy = await world(["example.com"]);
		expect(await proxy.say(get("http://example.com/"))).toContain("403 Forbidden");
		expect(proxy.dialled).toEqual([]);
		expect(proxy.outcome().hosts).toEqual([{ host: "example.com", verdict: "scheme_not_allowed", bytes: 0 }]);
	});

	it("goes to the host of the address, without what is the proxy's", async () => {
		await using proxy = await world(["http://example.com"]);
		const more = "Proxy-Authorization: Basic eA==\r\nConnection: x-hop\r\nX-Hop: 1\r\nX-Kept: 2\r\nTE: trailers\r\n";
		const answer = await proxy.say(get("http://example.com/a?b", more), "from the web");
		expect(answer).toContain("200 OK");
		expect(answer).not.toContain("timeout=77");
		const { url, headers } = heard.at(-1) ?? {};
		expect({ url, headers }).toEqual({
			url: "/a?b",
			headers: { host: "example.com", "x-kept": "2", connection: "close" },
		});
		expect(proxy.dialled).toEqual(["93.184.215.14 80"]);
		expect(proxy.outcome().hosts).toMatchObject([{ host: "example.com", verdict: "allowed" }]);
	});

	it("is judged anew for each request of a connection", async () => {
		await using proxy = await world(["http://example.com"]);
		const answer = await proxy.say(
			get("http://example.com/1") + get("http://example.org/2") + get("http://example.com/3"),
		);
		expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 403"]);
		expect(heard.map(({ url }) => url)).not.toContain("/2");
	});

	it("carries a body once, as it was framed", async () => {
		await using proxy = await world(["http://example.com"]);
		const body = "5\r\nhello\r\n0\r\n\r\n";
		const post = `POST http://example.com/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${body}`;
		expect(await proxy.say(post, "from the web")).toContain("200 OK");
		expect(heard.at(-1)?.body).toBe("hello");
	});

	it("answers that a host does not", async () => {
		const port = await freePort();
		const means = { resolve: async () => ["93.184.215.14"], connect: () => connect(port, "127.0.0.1") };
		await using proxy = await world(["http://example.com"], {}, { means });
		expect(await proxy.say(get("http://example.com/"))).toContain("502 Bad Gateway");
		expect(proxy.outcome().hosts).toEqual([{ host: "example.com", verdict: "unreachable", bytes: 0 }]);
	});
});
