import * as z from "zod";
import { createGatedFetch, FetchFailed, UrlRefused } from "../../src/gates/gated-fetch";
import { normaliseEntry } from "../../src/gates/list-entries";
import { resolvePolicy } from "../../src/gates/policy";
import { AppError } from "../../src/shared/errors";
import { policyAction, policyDocument } from "../../src/shared/policy";

/** The shape of the corpus entries that concern outbound requests, as far as it is needed here. */
export const hostileCase = z.object({
	id: z.string(),
	category: z.string(),
	tool: z.string(),
	input: z.object({
		method: z.string().optional(),
		url: z.string().optional(),
		headers: z.record(z.string(), z.string()).optional(),
		body: z.string().optional(),
		server_reply: z.string().optional(),
		entry: z.string().optional(),
	}),
	config: z.object({
		http: z
			.object({
				allow: z.array(z.string()),
				schemes: z.array(z.string()).default(["https"]),
				dev_allow_loopback: z.boolean().default(false),
				max_bytes: z.number().default(1_000_000),
				timeout_ms: z.number().default(5_000),
			})
			.optional(),
		policy: z.record(z.string(), policyAction).optional(),
	}),
	expect: z.object({ decision: z.string(), reason: z.string(), canonical_host: z.string().optional() }),
});
export type HostileCase = z.output<typeof hostileCase>;

/** One request that reached the injected fetch. */
interface SentRequest {
	readonly url: string;
	readonly method: string;
	readonly headers: Headers;
	readonly body: unknown;
}

export interface Outcome {
	readonly decision: string;
	readonly reason: string;
	readonly sent: readonly SentRequest[];
	/** Whether the server saw its endless or silent body cancelled. */
	readonly cancelled: boolean;
}

/** Runs one case against our own gates, with a server that answers as the case says and counts who asks. */
export async function judgeHostile({ tool, input, config }: HostileCase): Promise<Outcome> {
	if (tool === "config.http.allow") return judgeEntry(input.entry ?? "");
	const policy = policyDocument.parse({ tools: config.policy ?? {} });
	if (resolvePolicy(policy, { tool, group: "http" }) === "supervised") {
		return { decision: "supervised", reason: "needs_approval", sent: [], cancelled: false };
	}
	const server = scriptedServer(input.server_reply);
	const { allow, schemes, dev_allow_loopback, max_bytes, timeout_ms } = config.http ?? { ...noHttp };
	const entries = schemes.includes("http") ? allow.map((entry) => `http://${entry}`) : allow;
	const gatedFetch = createGatedFetch({
		fetch: server.fetch,
		rulesFor: () => ({ mode: "listed", entries, allowLoopback: dev_allow_loopback }),
		signal: new AbortController().signal,
		maxBytes: max_bytes,
		timeoutMs: timeout_ms,
	});
	const { url = "", method, headers, body } = input;
	const verdict = await gatedFetch(url, {
		list: "http",
		...(method && { method }),
		...(headers && { headers }),
		...(body && { body }),
	}).then(
		({ truncated }) => ({ decision: "allow", reason: truncated ? "truncated" : "ok" }),
		(error: unknown) => {
			if (error instanceof UrlRefused) return { decision: "deny", reason: error.reason };
			if (error instanceof FetchFailed) return { decision: "error", reason: error.reason };
			throw error;
		},
	);
	return { ...verdict, sent: server.sent, cancelled: server.cancelled() };
}

const noHttp = { allow: [], schemes: ["https"], dev_allow_loopback: false, max_bytes: 1000, timeout_ms: 1000 };

function judgeEntry(entry: string): Outcome {
	try {
		normaliseEntry("HTTP", entry);
		return { decision: "allow", reason: "ok", sent: [], cancelled: false };
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		return { decision: "deny", reason: "config_entry_invalid", sent: [], cancelled: false };
	}
}

/** Answers the first request with the scripted reply and every later one with 200. */
function scriptedServer(reply: string | undefined) {
	const sent: SentRequest[] = [];
	let cancelled = false;
	const cancel = () => {
		cancelled = true;
	};
	const bodies: Record<string, () => ReadableStream<Uint8Array>> = {
		"infinite body": () =>
			new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)), cancel }),
		"headers then silence": () => new ReadableStream({ pull: () => new Promise(() => {}), cancel }),
	};
	return {
		sent,
		cancelled: () => cancelled,
		async fetch(url: string, init: RequestInit): Promise<Response> {
			sent.push({ url, method: init.method ?? "GET", headers: new Headers(init.headers), body: init.body });
			const [, status, location] = /^(\d{3}) Location: (.*)$/.exec(reply ?? "") ?? [];
			if (sent.length === 1 && status && location) {
				return new Response(null, { status: Number(status), headers: { location } });
			}
			return new Response(bodies[reply ?? ""]?.() ?? "ok");
		},
	};
}
