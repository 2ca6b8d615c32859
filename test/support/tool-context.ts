import type * as z from "zod";
import { createGatedDownload, createGatedFetch, type GatedFetchOptions } from "../../src/gates/gated-fetch";
import { urlRules } from "../../src/gates/touches";
import type { DeliveryVerdict } from "../../src/shared/channel";
import type { settingsDocument } from "../../src/shared/settings";
import { failure, type ToolResult } from "../../src/shared/tool-result";
import { admit } from "../../src/tools/admit";
import type { Channels, Files, Memory, Skills, Tool, ToolContext } from "../../src/tools/tool";
import { court } from "./court";

export interface SentRequest {
	readonly url: string;
	readonly method: string;
	readonly headers: Headers;
	readonly body: string | undefined;
}

/** What a test may say about the world of a tool; what it leaves out is empty. */
export interface Over {
	readonly http?: readonly string[];
	readonly settings?: z.input<typeof settingsDocument>;
	/** Answers what leaves through the gates. A test that says nothing expects that nothing does. */
	readonly answer?: (request: SentRequest) => Response | Promise<Response>;
	readonly channels?: readonly string[];
	readonly defaultChannel?: string;
	readonly verdict?: Partial<DeliveryVerdict>;
	readonly skills?: Readonly<Record<string, string>>;
	readonly secrets?: Readonly<Record<string, string>>;
	readonly files?: Files;
	readonly now?: Date;
	readonly signal?: AbortSignal;
}

interface Delivery {
	readonly channel: string;
	readonly notice: { readonly content: string; readonly title?: string };
	readonly deliveryId: string;
}

export interface ToolWorld {
	readonly over: Over;
	readonly ctx: ToolContext;
	readonly sent: SentRequest[];
	readonly deliveries: Delivery[];
}

/** A context whose requests pass the real gates and end in `answer`, and which remembers what a tool did. */
export function toolWorld(over: Over = {}): ToolWorld {
	const { settings } = courtOf(over).snapshot;
	const sent: SentRequest[] = [];
	const deliveries: Delivery[] = [];
	const signal = over.signal ?? new AbortController().signal;
	const ctx: ToolContext = {
		agent: "tester",
		principal: { id: "admin", name: "admin", role: "admin", permissions: ["*"] },
		sessionId: "session-1",
		callId: "call-1",
		settings,
		fetch: createGatedFetch(wayOut(over, sent, signal)),
		download: createGatedDownload({ ...wayOut(over, sent, signal), maxBytes: settings.files.maxFileBytes }),
		files: over.files ?? noFiles,
		artifacts: { keep: async () => undefined },
		channels: recordingChannels(over, deliveries),
		memory: memoryOf(over),
		skills: skillsOf(over.skills ?? {}),
		secret: async (name) => over.secrets?.[name],
		now: () => over.now ?? new Date(),
		signal,
	};
	return { over, ctx, sent, deliveries };
}

/** Takes a call through the gates and, when they admit it, to the tool. */
export async function callIn({ over, ctx }: ToolWorld, tool: Tool, value: unknown): Promise<ToolResult> {
	const verdict = await admit(courtOf(over, tool), { name: tool.name, input: { ok: true, value } });
	if (verdict.admitted) return await tool.execute(ctx, verdict.input);
	const { code, message, gate, reason, retryable } = verdict.refusal;
	return failure(code, message, { retryable, meta: { gate, ...(reason && { reason }) } });
}

function courtOf({ settings, http, channels }: Over, ...tools: readonly Tool[]) {
	const made = court({ tools, settings: settings ?? {}, whitelist: { HTTP: http ?? [] } });
	return { ...made, around: { ...made.around, channels: channels ?? [] } };
}

function wayOut(over: Over, sent: SentRequest[], signal: AbortSignal): GatedFetchOptions {
	const { whitelist, settings } = courtOf(over).snapshot;
	return {
		async fetch(url, init) {
			const body = init.body === undefined || init.body === null ? undefined : String(init.body);
			const request = { url, method: init.method ?? "GET", headers: new Headers(init.headers), body };
			sent.push(request);
			if (!over.answer) throw new Error("No request was expected.");
			return await over.answer(request);
		},
		rulesFor: (list, method) => urlRules({ whitelist, settings, allowLoopback: false }, list, method),
		signal,
		maxBytes: settings.http.maxResponseBytes,
		timeoutMs: settings.http.timeoutSeconds * 1_000,
	};
}

const noFiles: Files = {
	perform: () => Promise.reject(new Error("No use of files was expected.")),
	store: () => Promise.reject(new Error("No file was expected.")),
	shell: () => Promise.reject(new Error("No command was expected.")),
};

function recordingChannels(over: Over, deliveries: Delivery[]): Channels {
	const names = over.channels ?? [];
	return {
		names: () => names,
		defaultName: () => over.defaultChannel ?? (names.length === 1 ? names[0] : undefined),
		async deliver(channel, notice, deliveryId) {
			deliveries.push({ channel, notice, deliveryId });
			return { ok: true, status: "delivered", partsDelivered: 1, partsTotal: 1, attempts: 1, ...over.verdict };
		},
	};
}

function memoryOf({ now }: Over): Memory {
	const entries = new Map<string, { content: string; scope: string; createdAt: Date }>();
	return {
		async append({ id, content, scope }) {
			if (!entries.has(id)) entries.set(id, { content, scope, createdAt: now ?? new Date() });
		},
		async search(keyword, limit) {
			const wanted = keyword.toLowerCase();
			return [...entries.values()]
				.filter(({ content }) => content.toLowerCase().includes(wanted))
				.reverse()
				.slice(0, limit);
		},
	};
}

const skillsOf = (texts: Readonly<Record<string, string>>): Skills => ({
	list: () => Object.keys(texts).map((name) => ({ name, description: `About ${name}.` })),
	read: async (name) => (Object.hasOwn(texts, name) ? texts[name] : undefined),
});
