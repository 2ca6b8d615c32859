import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env";
import { randomId } from "../lib/uuid7";
import { type RunnerHealth, runnerHealth } from "../shared/runner";
import type { RunnerRefusal } from "../shared/runner-programs";

/** A deployment has one runner. */
export const runnerName = "runner";

const port = 8080;
const tokenKey = "token";
/** A container of a prepared image answers within seconds; a cold one has been seen to take a minute. */
const startBudgetMs = 60_000;
/** A runner at an address runs or does not. */
const addressBudgetMs = 2_000;
const longestPauseMs = 1_000;
/** The container stops this long after its last use. */
const idleMs = 600_000;

/** What `/health` of the Worker says of the runner; asking never wakes a container. */
export type RunnerState =
	| { readonly state: "off"; readonly reason: string }
	| { readonly state: "asleep"; readonly reason: string }
	| { readonly state: "unreachable"; readonly reason: string }
	| { readonly state: "ready"; readonly health: RunnerHealth };

/**
 * The one door to the runner: its container, woken by the first request and stopped when idle, or a runner at ORYX_RUNNER_URL
 * where there are no containers. It adds the token, tells "not reached, nothing was started" (503 `unreachable`) from "asked and
 * not heard to the end" (502 `lost`), and holds nothing that must last but the container's token.
 */
export class RunnerObject extends DurableObject<Env> {
	/** How it reaches a runner at an address; a test puts its own in. */
	fetcher: typeof fetch = (input, init) => fetch(input, init);
	#waking: Promise<void> | undefined;

	override async fetch(request: Request): Promise<Response> {
		const door = this.#door();
		if (!door) return refusal(503, { code: "unreachable", message: offReason });
		try {
			await this.#awake(door);
		} catch (error) {
			this.#waking = undefined;
			return refusal(503, { code: "unreachable", message: `The runner does not answer: ${messageOf(error)}` });
		}
		const { pathname, search } = new URL(request.url);
		const forwarded = new Request(door.address + pathname + search, request);
		forwarded.headers.set("authorization", `Bearer ${door.token}`);
		try {
			return await door.fetch(forwarded);
		} catch (error) {
			this.#waking = undefined;
			if (request.signal.aborted) throw error;
			return refusal(502, { code: "lost", message: `The runner broke off: ${messageOf(error)}` });
		}
	}

	async state(): Promise<RunnerState> {
		const door = this.#door();
		if (!door) return { state: "off", reason: offReason };
		const { container } = this.ctx;
		if (container && !container.running) {
			return { state: "asleep", reason: "The container sleeps and is woken by the first call that needs it." };
		}
		try {
			return { state: "ready", health: await ask(door, addressBudgetMs) };
		} catch (error) {
			return { state: "unreachable", reason: messageOf(error) };
		}
	}

	#door(): Door | undefined {
		const { container } = this.ctx;
		if (container) {
			const runner = container.getTcpPort(port);
			const fetch = (request: Request) => runner.fetch(request);
			return { address: "http://runner", token: this.#containerToken(), budgetMs: startBudgetMs, fetch };
		}
		const { ORYX_RUNNER_URL: url, ORYX_RUNNER_TOKEN: token } = this.env;
		if (!url || !token) return undefined;
		return {
			address: url.replace(/\/+$/, ""),
			token,
			budgetMs: addressBudgetMs,
			fetch: (request) => this.fetcher(request),
		};
	}

	/** Made once, so that a container that outlives this object is still let in. */
	#containerToken(): string {
		const { kv } = this.ctx.storage;
		const known = kv.get<string>(tokenKey);
		if (known !== undefined) return known;
		const token = randomId(43);
		kv.put(tokenKey, token);
		return token;
	}

	/** Resolves when the runner answers; those who ask meanwhile wait for the same start. */
	async #awake(door: Door): Promise<void> {
		const { container } = this.ctx;
		if (container && !container.running) this.#waking = undefined;
		this.#waking ??= this.#wake(door);
		await this.#waking;
	}

	async #wake(door: Door): Promise<void> {
		const { container } = this.ctx;
		if (container && !container.running) container.start({ env: { RUNNER_TOKEN: door.token }, enableInternet: true });
		await container?.setInactivityTimeout(idleMs);
		const deadline = Date.now() + door.budgetMs;
		for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
			try {
				await ask(door, Math.max(1, deadline - Date.now()));
				return;
			} catch (error) {
				if (Date.now() + pauseMs >= deadline) throw error;
			}
			await scheduler.wait(pauseMs);
		}
	}
}

interface Door {
	readonly address: string;
	readonly token: string;
	readonly budgetMs: number;
	fetch(request: Request): Promise<Response>;
}

async function ask({ address, token, fetch }: Door, timeoutMs: number): Promise<RunnerHealth> {
	const headers = { authorization: `Bearer ${token}` };
	const response = await fetch(new Request(`${address}/health`, { headers, signal: AbortSignal.timeout(timeoutMs) }));
	if (!response.ok) throw new Error(`it answers HTTP ${response.status} to /health`);
	return runnerHealth.parse(await response.json());
}

const offReason =
	"No runner is connected. `npm start` starts one; a deployment has one when wrangler.toml binds its container, or ORYX_RUNNER_URL and ORYX_RUNNER_TOKEN name one.";

const refusal = (status: number, body: RunnerRefusal): Response => Response.json(body, { status });

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
