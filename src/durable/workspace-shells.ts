import { createGatedFetch } from "../gates/gated-fetch";
import type { WorkspaceContext } from "../workspace/context";
import { rulesOf } from "../workspace/guarded";
import { Refused } from "../workspace/refused";
import type { FileReply } from "../workspace/reply";
import type { ShellCall, ShellOutcome } from "../workspace/shell-call";
import type { Workspace } from "../workspace/workspace";
import { wayOut } from "./way-out";

const maxShownChanges = 100;

interface Running {
	readonly stop: AbortController;
	readonly outcome: Promise<FileReply<ShellOutcome>>;
}

/** The command lines that run now, by call id: one that is asked for again while it runs is waited for, not begun twice. */
export class Shells {
	readonly #running = new Map<string, Running>();

	run(
		workspace: Workspace,
		context: WorkspaceContext,
		{ call, fetcher, settled }: { call: ShellCall; fetcher: typeof fetch; settled: () => Promise<void> },
	): Promise<FileReply<ShellOutcome>> {
		const { callId } = context;
		const going = this.#running.get(callId);
		if (going) return going.outcome;
		const stop = new AbortController();
		const outcome = runInLayer(workspace, context, { call, fetcher, settled, signal: stop.signal }).finally(() =>
			this.#running.delete(callId),
		);
		this.#running.set(callId, { stop, outcome });
		return outcome;
	}

	stop(callId: string): void {
		this.#running.get(callId)?.stop.abort();
	}
}

interface Run {
	readonly call: ShellCall;
	readonly fetcher: typeof fetch;
	/** Resolves when what was written is on disk. */
	readonly settled: () => Promise<void>;
	readonly signal: AbortSignal;
}

async function runInLayer(
	workspace: Workspace,
	context: WorkspaceContext,
	{ call, fetcher, settled, signal }: Run,
): Promise<FileReply<ShellOutcome>> {
	const { settings, whitelist } = context;
	const out = wayOut(context, { fetcher, signal });
	// Heavy, and many objects never run a command.
	const { runShell } = await import("../workspace/shell/run-shell");
	return await workspace.changeWhole(context, async ({ files, read, changes }) => {
		const ran = await runShell({
			files,
			read,
			call,
			signal,
			home: rulesOf(context).root,
			listed: whitelist.SHELL,
			fetch: createGatedFetch({ ...out, maxBytes: settings.http.maxResponseBytes }),
			beforeEffect: async () => {
				workspace.begin(context.callId);
				await settled();
			},
		});
		if (!ran.ok) throw new Refused(ran);
		return { ...ran.outcome, changed: changes().slice(0, maxShownChanges) };
	});
}
