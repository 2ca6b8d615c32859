import type { SettingsDocument } from "../shared/settings";
import type { Whitelist } from "../shared/whitelist";
import { type FileAccess, fileRules, judgePlace } from "./file";
import type { UrlList } from "./gated-fetch";
import { judgeRequest } from "./headers";
import { resolvePath } from "./path";
import { readShellList } from "./shell-list";
import { judgeUrl } from "./url";
import type { UrlRules } from "./url-verdict";

/** What a call is about to reach: declared by the tool, judged before anything has happened. */
export type Touch =
	| {
			readonly url: string;
			readonly method: string;
			readonly list: UrlList;
			readonly headers?: Readonly<Record<string, string>>;
	  }
	/** Judged by its text; where its links lead is judged again when it is used. */
	| { readonly file: string; readonly mode: FileAccess }
	| { readonly command: string }
	/** Some command, known only while it runs and judged then: the list must hold at least one. */
	| { readonly list: "SHELL" }
	| { readonly channel: string };

export interface TouchRefusal {
	readonly reason: string;
	readonly message: string;
}

/** The configuration that touches are judged by. */
export interface Lists {
	readonly whitelist: Whitelist;
	readonly settings: Pick<SettingsDocument, "http" | "browser" | "files" | "memory">;
	readonly allowLoopback: boolean;
}

/** The first touch that a list does not hold; an empty list holds nothing. */
export function judgeTouches(touches: readonly Touch[], lists: Lists): TouchRefusal | undefined {
	for (const touch of touches) {
		const refusal = judgeTouch(touch, lists);
		if (refusal) return refusal;
	}
	return undefined;
}

/** The rules for one request. The HTTP list is open to reads of public hosts when the settings say so. */
export function urlRules({ whitelist, settings, allowLoopback }: Lists, list: UrlList, method: string): UrlRules {
	const entries = list === "browser" ? settings.browser.allowedDomains : whitelist.HTTP;
	const reads = ["GET", "HEAD", "OPTIONS"].includes(method.toUpperCase());
	const isOpen = list === "http" && reads && settings.http.readMode === "public";
	return { mode: isOpen ? "public" : "listed", entries, allowLoopback, list };
}

function judgeTouch(touch: Touch, lists: Lists): TouchRefusal | undefined {
	if ("url" in touch) return judgeRequestTo(touch, lists);
	if ("file" in touch) return judgeFile(touch, lists);
	if ("command" in touch) return judgeCommand(touch.command, lists.whitelist.SHELL);
	if ("list" in touch) return judgeAnyCommand(lists.whitelist.SHELL);
	// Channels are configuration, not a list: an unknown name is refused where it is looked up.
	return undefined;
}

function judgeRequestTo(touch: Extract<Touch, { url: string }>, lists: Lists): TouchRefusal | undefined {
	const request = judgeRequest(touch);
	if (!request.ok) return request;
	const verdict = judgeUrl(touch.url, urlRules(lists, touch.list, request.method));
	return verdict.ok ? undefined : verdict;
}

function judgeFile({ file, mode }: Extract<Touch, { file: string }>, lists: Lists): TouchRefusal | undefined {
	const rules = fileRules(lists);
	const resolved = resolvePath(file, rules.root);
	// No rule says how long a name may be: the files themselves cannot hold it, and say so.
	if (!resolved.ok && resolved.reason === "name_too_long") return undefined;
	if (!resolved.ok) return { reason: resolved.reason, message: `${resolved.message} The FILE list cannot hold it.` };
	const verdict = judgePlace({ asked: resolved.path, path: resolved.path }, mode, rules);
	return verdict.ok ? undefined : verdict;
}

function judgeCommand(command: string, entries: readonly string[]): TouchRefusal | undefined {
	if (readShellList(entries).names.has(command)) return undefined;
	const body = JSON.stringify({ value: command });
	const message = `${JSON.stringify(command)} is not on the SHELL list. To allow it: POST /api/v1/sandbox/whitelist/SHELL ${body}.`;
	return { reason: "command_not_allowed", message };
}

function judgeAnyCommand(entries: readonly string[]): TouchRefusal | undefined {
	if (entries.length > 0) return undefined;
	const message =
		'The SHELL list is empty, so no command may run. To allow one: POST /api/v1/sandbox/whitelist/SHELL {"value":"ls"}.';
	return { reason: "command_not_allowed", message };
}
