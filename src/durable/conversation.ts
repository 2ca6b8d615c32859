import { messagesOf } from "../agent/history";
import { isOver } from "../agent/journal";
import type { Page, PageQuery } from "../db/page";
import type { SessionMessage } from "../shared/session";
import type { SessionStore, StoredTurn } from "./session-store";

/** A page crosses to the Worker in one call, which carries 32 MiB. */
const maxPageChars = 4_000_000;

/** A page of a session's messages, oldest first; `after` is the key of the last message of the page before. */
export function readMessages(store: SessionStore, { after, limit }: PageQuery): Page<SessionMessage> {
	const seen = after === undefined ? undefined : parseKey(after);
	const items: SessionMessage[] = [];
	let next: string | undefined;
	let chars = 0;
	let skip = seen?.count ?? 0;
	for (let turn = seen ? store.turn(seen.turnId) : store.turnAfter(""); turn; turn = store.turnAfter(turn.id)) {
		for (const [index, message] of shownMessages(store, turn).slice(skip).entries()) {
			if (items.length === limit || chars > maxPageChars) return { items, next };
			items.push(message);
			chars += JSON.stringify(message).length;
			next = `${turn.id}:${skip + index + 1}`;
		}
		skip = 0;
	}
	return { items, next: undefined };
}

/** A turn's messages so far. What a vendor wants back with an answer is none of a reader's business. */
function shownMessages(store: SessionStore, turn: StoredTurn): SessionMessage[] {
	const steps = store.steps(turn.id);
	const ended = new Set(steps.flatMap((step) => (step.kind === "tool" && step.result ? [step.call.id] : [])));
	return messagesOf({ turn, steps }).flatMap((message): SessionMessage[] => {
		if (message.role === "system") return [];
		if (message.role === "user") return [{ turnId: turn.id, ...message }];
		// The call may still be under way.
		if (message.role === "tool") {
			return isOver(turn.status) || ended.has(message.callId) ? [{ turnId: turn.id, ...message }] : [];
		}
		const toolCalls = message.toolCalls.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
		return [{ turnId: turn.id, role: "assistant", content: message.content, toolCalls }];
	});
}

/** The messages of a turn that the page before has shown. */
function parseKey(key: string): { turnId: string; count: number } {
	const at = key.lastIndexOf(":");
	return { turnId: key.slice(0, at), count: Number(key.slice(at + 1)) };
}
