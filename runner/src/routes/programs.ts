import { Hono } from "hono";
import type { ProgramEnd } from "../../../src/shared/runner";
import type { NetworkOutcome } from "../../../src/shared/runner-network";
import { type ProgramFrame, type ProgramRequest, programRequest } from "../../../src/shared/runner-programs";
import type { OpenEgress } from "../egress/egress";
import type { Log } from "../log";
import type { Mirror } from "../mirrors/mirror";
import type { HeldMirror, Mirrors } from "../mirrors/mirrors";
import { TreeTooLarge } from "../mirrors/scan-tree";
import { ProgramMissing, ProgramNotStarted } from "../programs/confined-child";
import { programEnvironment } from "../programs/environment";
import { discard, readRequest } from "../programs/read-request";
import { type ProgramRun, runProgram } from "../programs/run-program";
import { refuse } from "../refusal";
import type { Sandbox } from "../sandbox/sandbox";
import type { Work } from "../work";

/** The list of files of a large workspace is most of it. */
const maxRequestBytes = 64_000_000;

export interface ProgramRoutesOptions {
	readonly sandbox: Sandbox;
	readonly mirrors: Mirrors;
	readonly work: Work;
	readonly log: Log;
	readonly openEgress: OpenEgress;
}

/** Runs a program over a mirror, and tells what it does and what it leaves as it comes. */
export const programRoutes = ({ sandbox, mirrors, work, log, openEgress }: ProgramRoutesOptions) =>
	new Hono().post("/", async (c) => {
		const { request, rest } = await readRequest(c.req.raw.body, { schema: programRequest, maxBytes: maxRequestBytes });
		if (request.requireSandbox && sandbox.report.backend === "none") {
			throw refuse("sandbox_unavailable", "No sandbox is in force on the runner, and the settings ask for one.");
		}
		const signal = AbortSignal.any([c.req.raw.signal, work.signal]);
		const held = await mirrors.take(request.mirror.id, signal);
		let isHandedOn = false;
		try {
			const missing = await held.mirror.lay(request.mirror.entries);
			if (missing.length > 0) return c.json({ missing }, 409);
			const frames = await startedFrames({ sandbox, held, request, stdin: rest, signal, work, log, openEgress });
			isHandedOn = true;
			log.info("program", { program: request.program, mirror: request.mirror.id.slice(0, 8) });
			return c.body(frames, 200, { "content-type": "application/x-ndjson" });
		} finally {
			if (!isHandedOn) held[Symbol.dispose]();
			// A connection with an unread body is closed a little later, in the middle of the next request on it.
			if (!isHandedOn) await discard(rest);
		}
	});

type Say = (frame: ProgramFrame) => void;

interface Start {
	readonly sandbox: Sandbox;
	readonly held: HeldMirror;
	readonly request: ProgramRequest;
	readonly stdin: ReadableStream<Uint8Array>;
	readonly signal: AbortSignal;
	readonly work: Work;
	readonly log: Log;
	readonly openEgress: OpenEgress;
}

/**
 * Resolves when the program runs, with the frames that it will say, a line each; the mirror is let go after the last one. Throws
 * when it could not be started.
 */
async function startedFrames({ sandbox, held, request, stdin, signal, work, log, openEgress }: Start) {
	const { program, args, cwd, environment, limits, protectedPaths } = request;
	const { files: folder, temporary, uid } = held.mirror;
	const hungUp = new AbortController();
	const started = Promise.withResolvers<void>();
	let hasStarted = false;
	const run = async (say: Say): Promise<void> => {
		await using network = await openNetwork(request, sandbox, openEgress);
		const place = { folder, temporary, cwd, protectedPaths, uid, network: false, egress: network.socket };
		const options: ProgramRun = {
			sandbox,
			command: { program, args, env: programEnvironment(sandbox, place, given(environment)) },
			place,
			limits,
			stdin,
			signal: AbortSignal.any([signal, hungUp.signal]),
			onStarted() {
				hasStarted = true;
				say({ type: "started" });
				started.resolve();
			},
			onOutput: (type, bytes) => say({ type, data: Buffer.from(bytes).toString("base64") }),
		};
		const end = await runProgram(options);
		const outcome = network.outcome();
		if (outcome) log.info("network", { program, mirror: request.mirror.id.slice(0, 8), ...outcome });
		say(await lastFrame({ ...end, ...(outcome && { network: outcome }) }, held.mirror, log));
	};
	const lines = new ReadableStream<Uint8Array>({
		start(controller) {
			const say: Say = (frame) => {
				if (!hungUp.signal.aborted) controller.enqueue(Buffer.from(`${JSON.stringify(frame)}\n`));
			};
			const whole = run(say)
				.catch((error) => {
					// Whatever ran until then has left nobody knows what.
					if (hasStarted) held.mirror.forget();
					started.reject(refusalOf(error));
				})
				.finally(() => {
					held[Symbol.dispose]();
					if (!hungUp.signal.aborted) controller.close();
				});
			work.add(whole);
		},
		cancel: () => hungUp.abort(new Error("The caller hung up.")),
	});
	await started.promise;
	return lines;
}

interface Network extends AsyncDisposable {
	/** Where its proxy listens; undefined where there is none. */
	readonly socket?: string;
	outcome(): NetworkOutcome | undefined;
}

/** The way out that a request opens, where it opens one and the sandbox can hold a program to it. */
async function openNetwork({ network }: ProgramRequest, { report }: Sandbox, openEgress: OpenEgress): Promise<Network> {
	const { egressProblem } = report;
	const none = { async [Symbol.asyncDispose]() {} };
	if (!network) return { ...none, outcome: () => undefined };
	if (egressProblem !== undefined) return { ...none, outcome: () => ({ unavailable: egressProblem }) };
	return await openEgress(network);
}

const given = (environment: ProgramRequest["environment"]) =>
	Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));

/** What a program ended in, once it has run. */
async function lastFrame(end: ProgramEnd, mirror: Mirror, log: Log): Promise<ProgramFrame> {
	try {
		return { type: "ended", end, changes: await mirror.changes() };
	} catch (error) {
		if (error instanceof TreeTooLarge) return { type: "failed", code: "too_large", message: error.message };
		log.error("failure", { error: error instanceof Error ? error.stack : String(error) });
		return { type: "failed", code: "internal", message: "The runner could not gather what the program left." };
	}
}

function refusalOf(error: unknown): unknown {
	if (error instanceof ProgramMissing) return refuse("program_missing", error.message);
	return error instanceof ProgramNotStarted ? refuse("internal", error.message) : error;
}
