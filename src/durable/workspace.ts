import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env";
import { uuid7 } from "../lib/uuid7";
import type { WorkspaceContext } from "../workspace/context";
import { type OperationInput, type OperationName, type OperationOutput, runOperation } from "../workspace/operations";
import type { FileReply } from "../workspace/reply";
import type { ShellCall, ShellOutcome } from "../workspace/shell-call";
import { Workspace } from "../workspace/workspace";
import { deploymentOf } from "./deployment";
import { documentsOf } from "./workspace-documents";
import { Shells } from "./workspace-shells";

/** One workspace: its files, its jobs and the virtual shell. An alarm is armed only while a job or a turn's `/tmp` waits for its end. */
export class WorkspaceObject extends DurableObject<Env> {
	readonly #workspace: Workspace;
	readonly #shells = new Shells();
	#alarmAt = Number.POSITIVE_INFINITY;
	/** How the object reaches the world; a test puts its own in. */
	fetcher: typeof fetch = (input, init) => fetch(input, init);

	constructor(ctx: DurableObjectState, env: Env) {
		super(ctx, env);
		const { storage } = ctx;
		this.#workspace = new Workspace({
			db: {
				exec: (query, ...bindings) => storage.sql.exec(query, ...bindings),
				transaction: (run) => storage.transactionSync(run),
			},
			now: () => Date.now(),
			newId: () => uuid7(),
			documents: (context) => documentsOf(deploymentOf(env), context),
			due: (at) => this.#arm(at),
		});
		ctx.blockConcurrencyWhile(async () => {
			this.#alarmAt = (await storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
		});
	}

	/** Runs a named operation on the files, once per call id when it changes something. */
	async perform<Name extends OperationName>(
		context: WorkspaceContext,
		name: Name,
		input: OperationInput<Name>,
	): Promise<FileReply<OperationOutput<Name>>> {
		return await runOperation(this.#workspace, context, name, input);
	}

	/** Runs a command line in the virtual shell, once per call id; what it changes is changed whole or not at all. */
	async shell(context: WorkspaceContext, call: ShellCall): Promise<FileReply<ShellOutcome>> {
		const settled = () => this.ctx.storage.sync();
		return await this.#shells.run(this.#workspace, context, { call, fetcher: this.fetcher, settled });
	}

	/** Ends a command line that runs; what it changed is dropped. */
	stopShell(callId: string): void {
		this.#shells.stop(callId);
	}

	/** Drops the `/tmp` of a turn. */
	endScope(scope: string): void {
		this.#workspace.endScope(scope);
	}

	override async alarm(): Promise<void> {
		this.#alarmAt = Number.POSITIVE_INFINITY;
		const due = this.#workspace.expire();
		if (due !== undefined) this.#arm(due);
	}

	#arm(at: number): void {
		if (at >= this.#alarmAt) return;
		this.#alarmAt = at;
		this.ctx.waitUntil(this.ctx.storage.setAlarm(at));
	}
}
