import { expect, it } from "vitest";
import { decodeBody } from "../../../src/tools/http/decode-body";

const utf8 = (text: string) => new TextEncoder().encode(text);
const gbk = [0xc4, 0xe3, 0xba, 0xc3];
const decode = (contentType: string | undefined, body: Uint8Array) =>
	decodeBody({ headers: new Headers(contentType === undefined ? {} : { "content-type": contentType }), body });

it.each([
	["UTF-8 when nothing is said", "text/plain", utf8("héllo 你好"), "héllo 你好"],
	["the header's charset", "text/html; charset=gbk", new Uint8Array(gbk), "你好"],
	["a quoted charset", 'text/html; charset="GB2312"', new Uint8Array(gbk), "你好"],
	[
		"a charset that a meta tag declares",
		"text/html",
		new Uint8Array([...utf8("<meta charset=gbk>"), ...gbk]),
		"<meta charset=gbk>你好",
	],
	[
		"the old form of that declaration",
		"text/html",
		new Uint8Array([...utf8('<meta http-equiv="Content-Type" content="text/html; charset=gb18030">'), ...gbk]),
		'<meta http-equiv="Content-Type" content="text/html; charset=gb18030">你好',
	],
	[
		"an XML declaration",
		"application/xml",
		new Uint8Array([...utf8('<?xml version="1.0" encoding="gbk"?>'), ...gbk]),
		'<?xml version="1.0" encoding="gbk"?>你好',
	],
	[
		"a byte order mark over the header",
		"text/plain; charset=gbk",
		new Uint8Array([0xef, 0xbb, 0xbf, ...utf8("你")]),
		"你",
	],
	["UTF-16 by its mark", "text/plain", new Uint8Array([0xff, 0xfe, 0x60, 0x4f, 0x7d, 0x59]), "你好"],
	["UTF-16 by the header", "text/plain; charset=utf-16le", new Uint8Array([0x60, 0x4f, 0x7d, 0x59]), "你好"],
	["UTF-8 for a charset that nobody knows", "text/plain; charset=klingon", utf8("你好"), "你好"],
	[
		"UTF-8 for a meta tag that says UTF-16 in single bytes",
		"text/html",
		utf8("<meta charset=utf-16>é"),
		"<meta charset=utf-16>é",
	],
	["a replacement for bytes that are wrong", "text/plain", new Uint8Array([0x61, 0xff, 0x62]), "a\ufffdb"],
	["nothing for an empty body", "image/png", new Uint8Array(), ""],
])("decodes %s", (_, contentType, body, text) => {
	expect(decode(contentType, body).text).toBe(text);
});

it.each([
	["text/html; charset=utf-8", "<p>", "text/html"],
	["application/problem+json", "{}", "application/problem+json"],
	["application/octet-stream", "plain all the same", "application/octet-stream"],
	[undefined, "<!DOCTYPE html><p>", "text/html"],
	[undefined, "\n<html>", "text/html"],
	[undefined, "{}", "text/plain"],
])("calls %s a text", (contentType, body, mediaType) => {
	expect(decode(contentType, utf8(body))).toEqual({ text: body, mediaType });
});

it.each([
	["application/pdf", utf8("%PDF-1.7 looks like text")],
	["image/png", utf8("x")],
	["text/plain", new Uint8Array([0x61, 0, 0x62])],
	["application/octet-stream", new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
	[undefined, new Uint8Array([0xff, 0xd8, 0xff, 0xe0])],
])("calls %s of such bytes none", (contentType, body) => {
	expect(decode(contentType, body)).toEqual({ text: undefined, mediaType: contentType ?? "application/octet-stream" });
});
