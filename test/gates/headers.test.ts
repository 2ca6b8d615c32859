import { describe, expect, it } from "vitest";
import { httpMethods, judgeRequest } from "../../src/gates/headers";

describe("judgeRequest", () => {
	it.each(httpMethods)("allows %s in either letter case", (method) => {
		expect(judgeRequest({ method: method.toLowerCase() })).toEqual({ ok: true, method });
	});

	it.each(["TRACE", "CONNECT", "", "GET ", "get\r\n", "PROPFIND", "ｇｅｔ"])("refuses the method %j", (method) => {
		expect(judgeRequest({ method })).toMatchObject({ ok: false, reason: "invalid_method" });
	});

	it("allows credentials and headers of one's own", () => {
		const headers = {
			Authorization: "Bearer x",
			Cookie: "a=b",
			"X-Api-Key": "k",
			Accept: "*/*",
			"x-note": "tab\tand ~",
		};
		expect(judgeRequest({ method: "GET", headers })).toMatchObject({ ok: true });
	});

	it.each(["hOST", "Proxy-Connection", "cf-ray", "x-forwarded-proto", "Sec-Fetch-Mode", "x-method-override"])(
		"refuses the header %s, which is not the caller's to set",
		(name) => {
			const verdict = judgeRequest({ method: "GET", headers: { [name]: "x" } });
			expect(verdict).toMatchObject({ ok: false, reason: "forbidden_header", message: expect.stringContaining(name) });
		},
	);

	it("never shows a header's value", () => {
		const verdict = judgeRequest({ method: "GET", headers: { authorization: "hunter2\n" } });
		expect(verdict).toMatchObject({ ok: false, reason: "invalid_header" });
		expect(JSON.stringify(verdict)).not.toContain("hunter2");
	});

	it("refuses too many headers, and too much of them", () => {
		const many = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`x-${n}`, ""]));
		expect(judgeRequest({ method: "GET", headers: many })).toMatchObject({ reason: "invalid_header" });
		expect(judgeRequest({ method: "GET", headers: { "x-a": "a".repeat(40_000) } })).toMatchObject({
			reason: "invalid_header",
		});
	});
});
