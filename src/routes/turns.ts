import { type Context, Hono } from "hono";
import * as z from "zod";
import type { TurnView } from "../agent/view";
import type { AppEnv } from "../app-env";
import { claimKey, deletedTurn, releaseKey } from "../db/idempotency-keys";
import { openConfiguration } from "../durable/configuration";
import { canonicalJson } from "../lib/canonical-json";
import { sha256Hex } from "../lib/hash";
import { randomId, uuid7 } from "../lib/uuid7";
import { AppError } from "../shared/errors";
import { newTurn, turnStarted, turnView } from "../shared/turn";
import { withExample } from "./described";
import { eventStream, eventStreamAnswer } from "./event-stream";
import { operation } from "./operation";
import { sessionOf, sessionStub } from "./session-stub";
import { validate } from "./validate";

/** Below `/api/v1/agents/{name}/turns`. */
export const agentTurns = new Hono<AppEnv>().post(
	"/:name/turns",
	operation({
		tag: "turns",
		summary: "Send a message to an agent",
		description: `Answers when the turn is over; one that has to wait more than a minute for its model is answered as \`waiting\` and goes on by itself. With \`Accept: text/event-stream\` it streams the turn's events; with \`Prefer: respond-async\`
it answers 202 at once. A client that hangs up changes nothing: the turn goes on, and \`GET /api/v1/turns/{id}\` tells of it.
With \`Idempotency-Key\` (at most 255 characters, kept 48 hours) the same body begins one turn, however often it is sent;
another body under the same key is refused with 409.`,
		permission: "turn:create",
		headers: {
			Prefer: "`respond-async` answers at once.",
			"Idempotency-Key": "One turn for this key and body, however often it is sent.",
		},
		answers: {
			200: {
				description: "The turn is over, or its events.",
				content: { "application/json": turnView, ...eventStreamAnswer },
			},
			202: turnStarted,
		},
		errors: ["invalid_input", "not_found", "conflict", "too_large"],
	}),
	validate("param", z.object({ name: z.string() })),
	validate("json", withExample(newTurn, { message: '/current_time {"timezone": "Asia/Shanghai"}' })),
	async (c) => {
		const { name } = c.req.valid("param");
		const body = c.req.valid("json");
		const snapshot = await c.var.loadSnapshot();
		if (!snapshot.agents.has(name)) throw new AppError("not_found", `No agent ${name}. GET /api/v1/agents lists them.`);
		const { turnId, refused } = await claimTurn(c, name, body);
		const sessionId = sessionOf(turnId);
		const { redactor } = await openConfiguration(c.var.deployment, snapshot);
		const { principal } = c.var;
		const request = { sessionId, turnId, agent: name, message: redactor.redactKnown(body.message), principal };
		const started = await sessionStub(c, sessionId).start(request);
		if (!started.ok) {
			await refused();
			throw new AppError(started.code, started.message);
		}

		c.header("X-Turn-Id", turnId);
		c.header("X-Session-Id", sessionId);
		if (wantsEvents(c)) return eventStream(c, await sessionStub(c, sessionId).watch(principal, started.after, turnId));
		if (/(^|,)\s*respond-async\s*(,|;|$)/i.test(c.req.header("prefer") ?? "")) {
			c.header("Preference-Applied", "respond-async");
			c.header("Location", `/api/v1/turns/${encodeURIComponent(turnId)}`);
			return c.json({ turnId, sessionId, status: started.status }, 202);
		}
		return c.json(await untilOver(c, turnId), 200);
	},
);

/** `/api/v1/turns` */
export const turns = new Hono<AppEnv>().get(
	"/:id",
	operation({
		tag: "turns",
		summary: "The state of one turn",
		permission: ["session:own", "session:list"],
		answers: { 200: turnView },
		errors: ["not_found"],
	}),
	async (c) => {
		const id = c.req.param("id");
		const view = await sessionStub(c, sessionOf(id)).view(id, c.var.principal);
		if (!view) throw new AppError("not_found", `No turn ${id}.`);
		return c.json(view, 200);
	},
);

const wantsEvents = (c: Context) => (c.req.header("accept") ?? "").includes("text/event-stream");

interface TurnClaim {
	readonly turnId: string;
	/** To be called when the turn is not begun: a refusal leaves its key free. */
	refused(): Promise<void>;
}

/** A new turn's id, or under an idempotency key the id of the turn that the key began. */
async function claimTurn(c: Context<AppEnv>, agent: string, body: z.output<typeof newTurn>): Promise<TurnClaim> {
	const sessionId = body.sessionId ?? `s-${randomId(20)}`;
	const turnId = `${sessionId}.${uuid7()}`;
	const key = c.req.header("idempotency-key");
	if (key === undefined) return { turnId, refused: async () => {} };
	if (key === "" || key.length > 255) throw new AppError("invalid_input", "Idempotency-Key: Use 1 to 255 characters.");
	const bodyDigest = await sha256Hex(`${agent}\n${canonicalJson(body)}`);
	const claim = { principal: c.var.principal.id, key, bodyDigest, turnId, createdAt: new Date() };
	const stands = await claimKey(c.var.db, claim);
	if (stands.bodyDigest !== bodyDigest) {
		throw new AppError(
			"conflict",
			"This Idempotency-Key was used for another request. Use a new key for a new request.",
		);
	}
	if (stands.turnId === deletedTurn) {
		throw new AppError(
			"conflict",
			"The turn that this Idempotency-Key began was deleted. Use a new key for a new turn.",
		);
	}
	return { turnId: stands.turnId, refused: () => releaseKey(c.var.db, claim) };
}

/** Waits for the turn, also across the death of its object, which asking again revives. */
async function untilOver(c: Context<AppEnv>, turnId: string): Promise<TurnView> {
	for (let attempt = 1; ; attempt++) {
		try {
			const view = await sessionStub(c, sessionOf(turnId)).result(turnId, c.var.principal);
			if (view) return view;
			throw new AppError("not_found", `The turn ${turnId} was deleted while it went.`);
		} catch (error) {
			if (error instanceof AppError || attempt === 6) throw error;
			await scheduler.wait(100 * 2 ** attempt);
		}
	}
}
