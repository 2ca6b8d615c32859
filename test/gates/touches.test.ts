import { describe, expect, it } from "vitest";
import { judgeTouches, type Lists, type Touch, urlRules } from "../../src/gates/touches";
import { settingsDocument } from "../../src/shared/settings";

const lists = (over: Partial<Lists["whitelist"]> = {}, settings: unknown = {}, allowLoopback = false): Lists => ({
	whitelist: { FILE: [], SHELL: [], HTTP: [], ...over },
	settings: settingsDocument.parse(settings),
	allowLoopback,
});
const get = (url: string, over: Partial<Extract<Touch, { url: string }>> = {}): Touch => ({
	url,
	method: "GET",
	list: "http",
	...over,
});

describe("judgeTouches", () => {
	it.each<[string, Touch, string, string]>([
		["URL", get("https://a.example/"), "host_not_allowed", "HTTP list"],
		["browser URL", get("https://a.example/", { list: "browser" }), "host_not_allowed", "browser list"],
		["file out of the root", { file: "/etc/passwd", mode: "read" }, "outside_root", "FILE list"],
		["command", { command: "ls" }, "command_not_allowed", "SHELL list"],
		["shell", { list: "SHELL" }, "command_not_allowed", "SHELL list"],
	])("refuses every %s on empty lists and names the list", (_, touch, reason, name) => {
		expect(judgeTouches([touch], lists())).toMatchObject({ reason, message: expect.stringContaining(name) });
	});

	it("passes what is listed, and channels, which no list holds", () => {
		const touches: Touch[] = [
			get("https://a.example/x"),
			{ file: "/data/a.md", mode: "write" },
			{ command: "ls" },
			{ list: "SHELL" },
			{ channel: "ops" },
		];
		expect(judgeTouches(touches, lists({ HTTP: ["a.example"], FILE: ["/data"], SHELL: ["ls"] }))).toBeUndefined();
		expect(judgeTouches([], lists())).toBeUndefined();
	});

	it("answers the first refusal of several touches", () => {
		const touches: Touch[] = [{ channel: "ops" }, { command: "rm" }, get("https://a.example/")];
		expect(judgeTouches(touches, lists())).toMatchObject({ reason: "command_not_allowed" });
	});

	it("judges method and headers before the host", () => {
		const held = lists({ HTTP: ["a.example"] });
		expect(judgeTouches([get("https://a.example/", { method: "TRACE" })], held)).toMatchObject({
			reason: "invalid_method",
		});
		const headers = { Host: "b.example" };
		expect(judgeTouches([get("https://a.example/", { headers })], held)).toMatchObject({ reason: "forbidden_header" });
	});

	it.each([
		["ls", true],
		["LS", false],
		["/bin/ls", false],
		["ls ", false],
		["", false],
	])("takes a command to the letter: %j", (command, isHeld) => {
		expect(judgeTouches([{ command }], lists({ SHELL: ["ls"] })) === undefined).toBe(isHeld);
	});

	it.each(["../secret.md", "/etc/passwd", "/workspace/notes2/a", "/workspace", "a/../../notes2"])(
		"keeps %s outside of the root",
		(file) => {
			expect(judgeTouches([{ file, mode: "read" }], lists({}, { files: { root: "/workspace/notes" } }))).toMatchObject({
				reason: "outside_root",
			});
		},
	);

	it.each<[string, Extract<Touch, { file: string }>["mode"], string]>([
		["a.md", "write", "ok"],
		["/tmp/a", "delete", "ok"],
		["/skills/x/SKILL.md", "read", "ok"],
		["/skills/x/SKILL.md", "write", "outside_root"],
		[".", "delete", "invalid_path"],
		[".git/config", "write", "protected_path"],
		[".git", "make_directory", "ok"],
		["sub/Memory.MD", "read", "memory_acl"],
	])("judges a file as it will be used: %s, %s is %s", (file, mode, expected) => {
		const verdict = judgeTouches([{ file, mode }], lists({}, { memory: { aclEnabled: true } }));
		expect(verdict?.reason ?? "ok").toBe(expected);
	});

	it("refuses a path that is none with its own reason", () => {
		expect(judgeTouches([{ file: "a\u0000", mode: "read" }], lists({ FILE: ["/"] }))).toMatchObject({
			reason: "invalid_path",
		});
	});

	it("leaves a name that is too long to the files, which cannot hold it", () => {
		expect(judgeTouches([{ file: "a".repeat(256), mode: "write" }], lists({}))).toBeUndefined();
	});
});

describe("public reads", () => {
	const open = lists({ HTTP: ["http://old.example"] }, { http: { readMode: "public" } });
	const reasonFor = (touch: Touch) => judgeTouches([touch], open)?.reason ?? "ok";

	it("open public hosts to reading methods alone", () => {
		for (const method of ["GET", "HEAD", "OPTIONS", "get"])
			expect(reasonFor(get("https://any.example/", { method }))).toBe("ok");
		for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
			expect(reasonFor(get("https://any.example/", { method }))).toBe("host_not_allowed");
		}
	});

	it("keep the list and the address check in force", () => {
		expect(reasonFor(get("http://old.example/"))).toBe("ok");
		expect(reasonFor(get("http://any.example/"))).toBe("scheme_not_allowed");
		expect(reasonFor(get("https://10.0.0.1/"))).toBe("private_address");
	});

	it("do not open the browser list", () => {
		expect(reasonFor(get("https://any.example/", { list: "browser" }))).toBe("host_not_allowed");
	});
});

describe("urlRules", () => {
	it("takes the browser list from the settings", () => {
		const configured = lists({}, { browser: { allowedDomains: ["a.example"] } }, true);
		expect(urlRules(configured, "browser", "GET")).toEqual({
			mode: "listed",
			entries: ["a.example"],
			allowLoopback: true,
			list: "browser",
		});
	});
});
