import { historyOf } from "../agent/history";
import { assemblePrompt } from "../agent/prompt";
import { specOf, toolsFor, withImplied } from "../agent/tools-for";
import { loadSnapshot } from "../db/snapshot";
import { uuid7 } from "../lib/uuid7";
import type { ModelMessage } from "../llm/provider";
import { resolveModel } from "../llm/resolve";
import type { ProviderConfig } from "../shared/agent";
import { type Configuration, openConfiguration } from "./configuration";
import type { Deployment } from "./deployment";
import { memoryText } from "./memory-text";
import type { SessionStore, StoredTurn } from "./session-store";
import { skillsOf, toolHost } from "./tool-host";
import type { StepWorld } from "./turn-driver";

/** The configuration of one step: a fresh snapshot, what the agent may use, and the conversation when it is asked for. */
export async function stepWorld(
	deployment: Deployment,
	store: SessionStore,
	sessionId: string,
	turn: StoredTurn,
	fetcher: typeof fetch,
): Promise<StepWorld | undefined> {
	const configuration = await openConfiguration(deployment, await loadSnapshot(deployment.db.$client));
	const { snapshot, redactor } = configuration;
	const { redactKnown } = redactor;
	const stored = snapshot.agents.get(turn.agent);
	if (!stored) return undefined;
	const skills = skillsOf(deployment, snapshot, stored).list();
	const profile = withImplied(stored, skills.length > 0);
	const host = toolHost(
		deployment,
		configuration,
		{ profile, principal: turn.principal, sessionId, turnId: turn.id },
		fetcher,
	);
	const { settings, provider } = profile;
	return {
		limits: { ...settings, on_nonretryable: settings.on_nonretryable ?? snapshot.settings.onNonretryable },
		redactor,
		host,
		tools: () => toolsFor(host).map((tool) => specOf(tool, host.around)),
		temperature: provider?.temperature,
		maxTokens: provider?.maxTokens,
		async messages() {
			const remembers = toolsFor(host).some(({ group }) => group === "memory");
			const memory = remembers ? await memoryText(deployment.db, profile.name) : "";
			const turns = store.latestTurns(settings.max_history_turns + 1, turn.id);
			const history = historyOf(
				turns.map((past) => ({ turn: past, steps: store.steps(past.id) })),
				settings.max_history_turns,
			);
			const system: ModelMessage = { role: "system", content: assemblePrompt(profile, { skills, memory }) };
			// What was written before a secret was stored, or by people, may hold it.
			return [system, ...history].map((message) => ({ ...message, content: redactKnown(message.content) }));
		},
		model: () => modelFor(deployment, configuration, provider, fetcher),
	};
}

/** The model of an agent, or of the deployment for one that names none. Throws ModelError when there is none to be had. */
export async function modelFor(
	deployment: Deployment,
	{ secret }: Pick<Configuration, "secret">,
	provider: ProviderConfig | undefined,
	fetcher: typeof fetch,
) {
	const { model, vendorKey, ai, allowLoopback } = deployment;
	return await resolveModel({
		provider,
		environment: { model: model.name, baseUrl: model.baseUrl, apiKey: model.apiKey, keys: vendorKey },
		secret: async (name) => secret(name),
		fetch: fetcher,
		ai,
		allowLoopback,
		newId: () => uuid7(),
	});
}
