import type { Step, Turn } from "../agent/journal";
import { loadSnapshot } from "../db/snapshot";
import type { AgentProfile } from "../shared/agent";
import type { Snapshot } from "../shared/snapshot";
import type { Files, Tool } from "../tools/tool";
import type { WriteTarget } from "../workspace/context";
import type { Deployment } from "./deployment";
import { registry } from "./registry";
import { skillsFor } from "./skills-for";
import type { Actor } from "./tool-host";
import type { WorkspaceCalls } from "./workspace-calls";
import { workspaceContext, workspaceOf } from "./workspace-context";

/** The files of one tool call: the agent's workspace, in the run's own job where its changes are staged. */
export function filesOf(
	deployment: Deployment,
	snapshot: Snapshot,
	{ actor, callId, signal }: { actor: Actor; callId: string; signal: AbortSignal },
): Files {
	const { profile, principal, sessionId, turnId } = actor;
	const workspace = workspaceOf(profile);
	// Most calls touch no file.
	const context = () =>
		workspaceContext(deployment, snapshot, {
			workspace,
			callId,
			turnId,
			target: targetOf(actor),
			agent: profile.name,
			skills: skillsFor(snapshot, profile).map(({ name }) => name),
			session: sessionId === undefined ? undefined : { id: sessionId, principal },
		});
	const object = () => workspaceObject(deployment, workspace);
	const untilStopped = async <Reply>(ask: () => Promise<Reply>): Promise<Reply> => {
		const stop = () => void object().stopCall(callId);
		signal.addEventListener("abort", stop, { once: true });
		try {
			return await askAgain(ask);
		} finally {
			signal.removeEventListener("abort", stop);
		}
	};
	return {
		perform: (name, input) => untilStopped(() => object().perform(context(), name, input)),
		store: (path, body) => object().putFile(context(), { path, body }),
		shell: (call) => untilStopped(() => object().shell(context(), call)),
	};
}

export const workspaceObject = ({ workspaces }: Deployment, name: string): WorkspaceCalls =>
	workspaces.getByName(name) as unknown as WorkspaceCalls;

/** Drops the `/tmp` of a turn that has ended, if its calls could have touched one. */
export async function dropScratch(deployment: Deployment, turn: Turn, steps: readonly Step[]): Promise<void> {
	if (!steps.some((step) => step.kind === "tool" && usesFiles(registry.find(step.call.name)))) return;
	const profile = (await loadSnapshot(deployment.db.$client)).agents.get(turn.agent);
	if (profile) await workspaceObject(deployment, workspaceOf(profile)).endScope(turn.id);
}

const usesFiles = (tool: Tool | undefined) =>
	tool !== undefined && (tool.usesFiles || tool.group === "files" || tool.group === "shell");

function targetOf({ profile, sessionId, jobId }: Actor): WriteTarget {
	if (jobId !== undefined) return { mode: "job", jobId };
	if (writesDirectly(profile)) return { mode: "direct" };
	return sessionId === undefined ? { mode: "unsaid" } : { mode: "staged", sessionId };
}

const writesDirectly = ({ settings }: AgentProfile) => settings.write_mode === "direct";

/** An object that went away in the middle knows its calls by id: asking again changes nothing twice. */
async function askAgain<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
	try {
		return await ask();
	} catch {
		return await ask();
	}
}
