import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { RunnerObject } from "../../src/durable/runner";
import type { RunnerHealth } from "../../src/shared/runner";

const url = "http://127.0.0.1:9/";
const token = "a-token-that-nobody-is-told";
const health: RunnerHealth = {
	status: "ok",
	incarnation: "first",
	version: "1",
	sandbox: { backend: "bubblewrap", layers: ["bubblewrap"], failed: [], unsupportedLimits: [] },
	programs: ["git"],
	running: { programs: 0, servers: 0 },
};

type Answer = (request: Request) => Response | Promise<Response>;

/** What a runner is asked, and a runner that answers its health and whatever else is said. */
function runnerThat(answer: Answer, answerHealth: Answer = () => Response.json(health)) {
	const asked: Request[] = [];
	const fetcher: typeof fetch = async (input, init) => {
		const request = new Request(input, init);
		asked.push(request);
		return await (new URL(request.url).pathname === "/health" ? answerHealth(request) : answer(request));
	};
	const paths = () => asked.map((request) => new URL(request.url).pathname);
	return { fetcher, asked, paths };
}

const unreachable = (): never => {
	throw new Error("Connection refused.");
};

const untilAborted = ({ signal }: Request): Promise<never> =>
	new Promise((_, reject) => {
		signal.addEventListener("abort", () => reject(signal.reason));
	});

interface Means {
	readonly fetcher?: typeof fetch;
	readonly container?: object;
	readonly isOff?: boolean;
}

/** The object in a life of its own. */
async function inRunner<Result>(
	{ fetcher, container, isOff = false }: Means,
	use: (object: RunnerObject, revive: () => RunnerObject) => Promise<Result>,
): Promise<Result> {
	const stub = env.RUNNER.getByName(crypto.randomUUID());
	return await runInDurableObject(stub, async (_, state) => {
		if (container) Object.defineProperty(state, "container", { value: container });
		const revive = () => {
			const object = new RunnerObject(state, {
				...env,
				...(!isOff && { ORYX_RUNNER_URL: url, ORYX_RUNNER_TOKEN: token }),
			});
			if (fetcher) object.fetcher = fetcher;
			return object;
		};
		return await use(revive(), revive);
	});
}

const ask = (object: RunnerObject, path = "/programs") =>
	object.fetch(new Request(`http://runner${path}`, { method: "POST", body: "work", headers: { authorization: "x" } }));

async function said(response: Response) {
	const text = await response.text();
	expect(text + JSON.stringify([...response.headers])).not.toContain(token);
	return { status: response.status, ...(JSON.parse(text) as { code: string; message: string }) };
}

describe("the door to the runner", () => {
	it("adds the token, and keeps path, query, body and answer as they are", async () => {
		const { fetcher, asked } = runnerThat(async (request) => new Response(`${request.url} ${await request.text()}`));
		const text = await inRunner({ fetcher }, async (object) => await (await ask(object, "/mcp/a?b=c")).text());
		expect(text).toBe("http://127.0.0.1:9/mcp/a?b=c work");
		expect(asked.map(({ headers }) => headers.get("authorization"))).toEqual(Array(2).fill(`Bearer ${token}`));
	});

	it("says that nothing was started where no runner is connected", async () => {
		const { status, code, message } = await inRunner({ isOff: true }, async (object) => await said(await ask(object)));
		expect({ status, code }).toEqual({ status: 503, code: "unreachable" });
		expect(message).toContain("npm start");
	});

	it("says so where it does not answer, and sends it nothing", async () => {
		const { fetcher, paths } = runnerThat(unreachable, unreachable);
		const answer = await inRunner({ fetcher }, async (object) => await said(await ask(object)));
		expect(answer).toMatchObject({ status: 503, code: "unreachable", message: expect.stringContaining("refused") });
		expect(new Set(paths())).toEqual(new Set(["/health"]));
	});

	it.each<[string, Answer, string]>([
		["knows another token", () => Response.json({ code: "unauthorized" }, { status: 401 }), "HTTP 401"],
		["is something else", () => new Response("<html>"), "JSON"],
		["never says a word", untilAborted, "does not answer"],
	])("sends nothing to what %s", async (_, answerHealth, reason) => {
		const { fetcher, paths } = runnerThat(unreachable, answerHealth);
		const answer = await inRunner({ fetcher }, async (object) => await said(await ask(object)));
		expect(answer).toMatchObject({ status: 503, code: "unreachable", message: expect.stringContaining(reason) });
		expect(new Set(paths())).toEqual(new Set(["/health"]));
	});

	it("waits for a runner that is about to answer", async () => {
		let refusals = 0;
		const { fetcher } = runnerThat(
			() => new Response("done"),
			() => (++refusals <= 3 ? unreachable() : Response.json(health)),
		);
		expect(await inRunner({ fetcher }, async (object) => await (await ask(object)).text())).toBe("done");
	});

	it("asks once for the health of a runner, however many wait for it", async () => {
		const { fetcher, paths } = runnerThat(() => new Response("done"));
		await inRunner({ fetcher }, async (object) => {
			await Promise.all(Array.from({ length: 20 }, () => ask(object)));
			await ask(object);
		});
		expect(paths().filter((path) => path === "/health")).toHaveLength(1);
		expect(paths()).toHaveLength(22);
	});

	it("tells of an answer that did not come, and looks for the runner again", async () => {
		let isDead = true;
		const { fetcher, paths } = runnerThat(() => (isDead ? unreachable() : new Response("done")));
		const [lost, next] = await inRunner({ fetcher }, async (object) => {
			const first = await said(await ask(object));
			isDead = false;
			return [first, await (await ask(object)).text()] as const;
		});
		expect(lost).toMatchObject({ status: 502, code: "lost" });
		expect(next).toBe("done");
		expect(paths()).toEqual(["/health", "/programs", "/health", "/programs"]);
	});

	it("hands on that its caller hung up", async () => {
		const hangUp = new AbortController();
		const { fetcher, asked } = runnerThat((request) => {
			const ended = untilAborted(request);
			hangUp.abort(new Error("hung up"));
			return ended;
		});
		await inRunner({ fetcher }, async (object) => {
			const request = new Request("http://runner/programs", { method: "POST", signal: hangUp.signal });
			await expect(object.fetch(request)).rejects.toThrow("hung up");
		});
		expect(asked.at(-1)?.signal.aborted).toBe(true);
	});
});

describe("the state of the runner", () => {
	it("is off, ready or unreachable", async () => {
		expect(await inRunner({ isOff: true }, (object) => object.state())).toMatchObject({ state: "off" });
		const { fetcher } = runnerThat(unreachable);
		expect(await inRunner({ fetcher }, (object) => object.state())).toEqual({ state: "ready", health });
		const gone = runnerThat(unreachable, unreachable);
		const state = await inRunner({ fetcher: gone.fetcher }, (object) => object.state());
		expect(state).toEqual({ state: "unreachable", reason: "Connection refused." });
		expect(JSON.stringify(state)).not.toContain(token);
	});
});

describe("the runner's container", () => {
	/** As the platform's own, it is no use without its `this`. */
	class TcpPort {
		readonly #fetcher: typeof fetch;
		constructor(fetcher: typeof fetch) {
			this.#fetcher = fetcher;
		}
		fetch(request: Request): Promise<Response> {
			return this.#fetcher(request);
		}
	}

	/** What the platform offers to an object that has one. */
	function fakeContainer() {
		const runner = runnerThat(() => new Response("done"));
		const started: { env: { RUNNER_TOKEN: string }; enableInternet: boolean }[] = [];
		const container = {
			running: false,
			start(options: (typeof started)[number]) {
				started.push(options);
				container.running = true;
			},
			setInactivityTimeout: async () => {},
			getTcpPort: () => new TcpPort(runner.fetcher),
		};
		return { container, started, ...runner };
	}

	it("sleeps until something needs it, which asking for its state does not", async () => {
		const { container, started, asked } = fakeContainer();
		expect(await inRunner({ container }, (object) => object.state())).toMatchObject({ state: "asleep" });
		expect([started, asked]).toEqual([[], []]);
	});

	it("is started once for all who need it, and again when it has stopped, with a token that it keeps", async () => {
		const { container, started, asked, paths } = fakeContainer();
		await inRunner({ container }, async (object, revive) => {
			await Promise.all([ask(object), ask(object), ask(object)]);
			expect(started).toHaveLength(1);
			expect(await object.state()).toEqual({ state: "ready", health });
			container.running = false;
			await ask(object);
			await ask(revive());
		});
		expect(started).toHaveLength(2);
		const tokens = new Set(started.map((options) => options.env.RUNNER_TOKEN));
		expect(tokens.size).toBe(1);
		expect([...tokens][0]).toMatch(/^\w{43}$/);
		expect(new Set(asked.map(({ headers }) => headers.get("authorization")))).toEqual(
			new Set([`Bearer ${[...tokens][0]}`]),
		);
		expect(paths().filter((path) => path === "/programs")).toHaveLength(5);
	});
});
