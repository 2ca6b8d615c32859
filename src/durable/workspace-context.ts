import { programPolicy } from "../gates/program-policy";
import type { AgentProfile } from "../shared/agent";
import type { Principal } from "../shared/principal";
import type { Snapshot } from "../shared/snapshot";
import type { WorkspaceContext, WriteTarget } from "../workspace/context";
import type { Deployment } from "./deployment";

/** Where an administrator's direct calls work. */
export const directWorkspace = "default";

/** Whose files: an agent's own workspace unless its profile names another. */
export const workspaceOf = (profile: Pick<AgentProfile, "name" | "workspace">): string =>
	profile.workspace ?? profile.name;

export interface WorkspaceUse {
	readonly workspace: string;
	readonly callId: string;
	/** A turn's id; absent for a call of its own, whose `/tmp` ends with it. */
	readonly turnId?: string | undefined;
	readonly target?: WriteTarget;
	readonly mayWriteProtected?: boolean;
	readonly agent?: string | undefined;
	readonly skills?: readonly string[];
	readonly session?: { readonly id: string; readonly principal: Principal } | undefined;
}

/** What goes with a call of a workspace, from the configuration in force. */
export function workspaceContext(
	{ allowLoopback }: Pick<Deployment, "allowLoopback">,
	{ whitelist, settings, policy }: Snapshot,
	use: WorkspaceUse,
): WorkspaceContext {
	return {
		workspace: use.workspace,
		callId: use.callId,
		scope: use.turnId ?? use.callId,
		target: use.target ?? { mode: "direct" },
		whitelist,
		settings,
		allowLoopback,
		...programPolicy(policy),
		mayWriteProtected: use.mayWriteProtected ?? false,
		documents: { agent: use.agent, skills: use.skills ?? [], session: use.session },
	};
}
