import type { ProviderConfig } from "../shared/agent";
import { anthropic } from "./anthropic";
import { type Address, addressOf } from "./endpoint-choice";
import type { Fetch } from "./exchange";
import { manual } from "./manual";
import { openAiChat } from "./openai-chat";
import { openAiResponses } from "./openai-responses";
import { findPreset, type Preset, presets } from "./presets";
import { ModelError, type Provider } from "./provider";
import { type AiBinding, workersAi } from "./workers-ai";

/** What the deployment says about models. */
interface ModelEnvironment {
	/** ORYX_MODEL, as `preset:model`. */
	readonly model?: string | undefined;
	/** ORYX_MODEL_BASE_URL, in place of that preset's own. */
	readonly baseUrl?: string | undefined;
	/** ORYX_MODEL_API_KEY, the key of that preset. */
	readonly apiKey?: string | undefined;
	/** The deployment's variable of that name, such as OPENAI_API_KEY. */
	keys(name: `${string}_API_KEY`): string | undefined;
}

export interface ResolveOptions {
	/** The agent's own choice; the deployment's where absent. */
	readonly provider?: ProviderConfig | undefined;
	readonly environment: ModelEnvironment;
	/** A secret that was stored over the API. Must not answer with variables of the deployment. Throws for one that does not open. */
	secret(name: string): Promise<string | undefined> | string | undefined;
	readonly fetch: Fetch;
	readonly ai?: AiBinding | undefined;
	/** Development only. */
	readonly allowLoopback: boolean;
	/** Makes the ids of tool calls, unique in the session. */
	readonly newId: () => string;
}

export interface ResolvedModel {
	readonly provider: Provider;
	/** The preset's name. */
	readonly name: string;
	readonly model: string;
}

/** Finds the model that an agent thinks with. Throws `ModelError` `not_configured` or `endpoint_refused`, saying what to do. */
export async function resolveModel(options: ResolveOptions): Promise<ResolvedModel> {
	const choice = chosenModel(options);
	if (choice.preset.dialect === "manual") return { ...choice, provider: manual(options) };
	if (choice.preset.dialect === "workers-ai") return { ...choice, provider: boundModel(options, choice.name) };
	const address = await addressOf(choice, options);
	return { provider: httpModel(choice, address, options), name: choice.name, model: choice.model };
}

/** The preset and model in force, and whether the deployment's own base URL and key belong to that preset. */
export interface ModelChoice {
	readonly name: string;
	readonly preset: Preset;
	readonly model: string;
	readonly isDeployments: boolean;
}

function chosenModel({ provider, environment }: ResolveOptions): ModelChoice {
	const deployment = parseModel(environment.model?.trim() || "manual");
	const name = provider?.name ?? deployment.name;
	const where = provider ? "provider.name of the agent" : "ORYX_MODEL";
	const preset = findPreset(name);
	if (!preset) {
		const known = Object.keys(presets).join(", ");
		throw new ModelError("not_configured", `${where} names the unknown provider "${name}". Known are: ${known}.`);
	}
	const isDeployments = name === deployment.name;
	const model = provider?.model ?? (isDeployments ? deployment.model : undefined) ?? preset.defaultModel;
	if (model) return { name, preset, model, isDeployments };
	const fix = provider ? "Set provider.model of the agent." : `Write it as ORYX_MODEL=${name}:model.`;
	throw new ModelError("not_configured", `No model of "${name}" is named. ${fix}`);
}

/** Splits at the first colon, for models have colons too: `ollama:llama3:8b`. */
function parseModel(text: string): { name: string; model: string | undefined } {
	const colon = text.indexOf(":");
	if (colon === -1) return { name: text, model: undefined };
	return { name: text.slice(0, colon), model: text.slice(colon + 1) || undefined };
}

function boundModel({ ai, newId }: ResolveOptions, vendor: string): Provider {
	if (ai) return workersAi({ vendor, ai, newId });
	throw new ModelError("not_configured", "Workers AI is not bound: add an [ai] binding named AI to wrangler.toml.");
}

function httpModel({ name, preset }: ModelChoice, address: Address, { fetch, newId }: ResolveOptions): Provider {
	const config = { vendor: name, ...address, fetch, newId };
	if (preset.dialect === "anthropic") return anthropic(config);
	if (preset.dialect === "openai-responses") return openAiResponses(config);
	const { quirks, keyHeader } = preset;
	return openAiChat({ ...config, ...(quirks && { quirks }), ...(keyHeader && { keyHeader }) });
}
