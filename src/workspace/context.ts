import type { PolicyAction } from "../shared/policy";
import type { Principal } from "../shared/principal";
import type { SettingsDocument } from "../shared/settings";
import type { Whitelist } from "../shared/whitelist";

/** Where the changes of a call go: into the workspace, into a job named by the caller, or into the session's own job (X41, X42). */
export type WriteTarget =
	| { readonly mode: "direct" }
	| { readonly mode: "job"; readonly jobId: string }
	| { readonly mode: "staged"; readonly sessionId: string }
	/** It must be staged, and nothing says where: reads are served, changes refused. */
	| { readonly mode: "unsaid" };

/** For whom and by which rules a workspace is used. It comes with every call, so that a change of a list holds at the next one. */
export interface WorkspaceContext {
	readonly workspace: string;
	/** A change happens once per id, however often it is asked for. */
	readonly callId: string;
	/** Whose `/tmp` it is: a turn's id, or that of a direct call. */
	readonly scope: string;
	readonly target: WriteTarget;
	readonly whitelist: Whitelist;
	readonly settings: SettingsDocument;
	readonly allowLoopback: boolean;
	/** What the policy says of programs that run other programs; at most supervised unless it names them. */
	readonly interpreters: PolicyAction;
	/** Whether programs have a network, as far as the HTTP list goes: only with `allow`, which the policy must say. */
	readonly programNetwork: PolicyAction;
	/** Control files may be written: a person with the right to it has asked for it, never a tool. */
	readonly mayWriteProtected: boolean;
	/** What `/memory`, `/skills` and `/artifacts` show. */
	readonly documents: {
		readonly agent: string | undefined;
		readonly skills: readonly string[];
		/** Whose kept outputs `/artifacts` shows, and who asks for them. */
		readonly session: { readonly id: string; readonly principal: Principal } | undefined;
	};
}
