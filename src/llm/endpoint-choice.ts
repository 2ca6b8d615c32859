import { judgeUrl } from "../gates/url";
import type { KnownSecret } from "../lib/redact";
import { ModelError } from "./provider";
import type { ModelChoice, ResolveOptions } from "./resolve";

/** Where a model is asked, and with which key. */
export interface Address {
	readonly baseUrl: string;
	readonly key?: KnownSecret;
}

/**
 * Chooses host and key together, so that a key of the deployment goes only to the preset's own host or to ORYX_MODEL_BASE_URL,
 * and a host that an agent names gets only the secret that the agent names.
 */
export async function addressOf(choice: ModelChoice, options: ResolveOptions): Promise<Address> {
	const { provider } = options;
	const baseUrl = provider?.baseUrl ? judged(provider.baseUrl, options) : deploymentsUrl(choice, options);
	const key = provider?.apiKey ? await agentsKey(provider.apiKey, options) : deploymentsKey(choice, options);
	if (key) return { baseUrl, key };
	const { keyVariable } = choice.preset;
	if (!keyVariable) return { baseUrl };
	throw new ModelError("not_configured", `No key for "${choice.name}". ${howToGiveKey(choice, options, keyVariable)}`);
}

/** A base URL that a user has set is judged like any other outbound request. */
function judged(baseUrl: string, { allowLoopback }: ResolveOptions): string {
	const verdict = judgeUrl(baseUrl, { mode: "public", allowLoopback });
	if (verdict.ok) return verdict.url.href;
	throw new ModelError("endpoint_refused", `The address of the agent's model is refused: ${verdict.message}`);
}

function deploymentsUrl({ name, preset, isDeployments }: ModelChoice, options: ResolveOptions): string {
	const { environment, provider } = options;
	const given = isDeployments ? environment.baseUrl?.trim() : undefined;
	if (given) return wellFormed(given);
	if (!preset.baseUrl) {
		const fix = provider ? "provider.baseUrl of the agent" : "ORYX_MODEL_BASE_URL";
		throw new ModelError("not_configured", `"${name}" has no common address. Set ${fix}.`);
	}
	// A local server is reached because the operator says so, never because an agent does.
	return provider && !isDeployments ? judged(preset.baseUrl, options) : preset.baseUrl;
}

function wellFormed(baseUrl: string): string {
	const url = URL.parse(baseUrl);
	if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url.href;
	throw new ModelError("not_configured", "ORYX_MODEL_BASE_URL is no http or https URL without user name and password.");
}

async function agentsKey(reference: string, { secret }: ResolveOptions): Promise<KnownSecret> {
	const name = reference.slice(2, -1);
	const key = keyOf(name, await readable(name, secret));
	if (key) return key;
	throw new ModelError(
		"not_configured",
		`The secret ${name}, which provider.apiKey of the agent names, is not stored.`,
	);
}

/** A secret that is stored and does not open is another fault than one that is not there. */
async function readable(name: string, secret: ResolveOptions["secret"]): Promise<string | undefined> {
	try {
		return await secret(name);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new ModelError("not_configured", `The secret ${name}, which provider.apiKey names, cannot be read. ${why}`, {
			cause,
		});
	}
}

function deploymentsKey({ preset, isDeployments }: ModelChoice, { provider, environment }: ResolveOptions) {
	if (provider?.baseUrl) return undefined;
	const own = isDeployments ? keyOf("ORYX_MODEL_API_KEY", environment.apiKey) : undefined;
	const { keyVariable } = preset;
	return own ?? (keyVariable ? keyOf(keyVariable, environment.keys(keyVariable)) : undefined);
}

/** Pasted keys bring blanks and line ends along; a header would not take them, and would show the key in its error. */
function keyOf(name: string, value: string | undefined): KnownSecret | undefined {
	const key = value?.trim() ?? "";
	if (key === "") return undefined;
	if (/^[\x21-\x7e]+$/.test(key)) return { name, value: key };
	throw new ModelError("not_configured", `${name} holds a character that no key has. Store it again.`);
}

function howToGiveKey({ isDeployments }: ModelChoice, { provider }: ResolveOptions, keyVariable: string): string {
	if (provider?.baseUrl) {
		return "A provider.baseUrl gets only the agent's own key: store it as a secret and set provider.apiKey to ${NAME}.";
	}
	const variables = isDeployments ? `${keyVariable} or ORYX_MODEL_API_KEY` : keyVariable;
	return `Set ${variables}${provider ? ", or provider.apiKey of the agent to ${NAME} of a stored secret" : ""}.`;
}
