import type * as z from "zod";
import type { GatedDownload, GatedFetch } from "../gates/gated-fetch";
import type { Touch } from "../gates/touches";
import type { DeliveryVerdict } from "../shared/channel";
import type { PolicyAction } from "../shared/policy";
import type { Principal } from "../shared/principal";
import type { SettingsDocument } from "../shared/settings";
import type { ToolResult } from "../shared/tool-result";
import type { OperationInput, OperationName, OperationOutput } from "../workspace/operations";
import type { FileReply } from "../workspace/reply";
import type { ShellCall, ShellOutcome } from "../workspace/shell-call";

/** Policy groups; `tool_policy.groups` names them. */
export type ToolGroup =
	| "files"
	| "shell"
	| "http"
	| "search"
	| "utility"
	| "memory"
	| "notify"
	| "interaction"
	| "skills";

export interface Channels {
	names(): readonly string[];
	/** The channel meant by no name: the only one, or the default one. */
	defaultName(): string | undefined;
	/** Sends once per `deliveryId`: a second call with the same id answers the first verdict. Never throws. */
	deliver(channel: string, notice: { content: string; title?: string }, deliveryId: string): Promise<DeliveryVerdict>;
}

export interface Memory {
	/** Appends once per `id`. */
	append(entry: { id: string; content: string; scope: "core" | "archival" }): Promise<void>;
	/** Newest first, at most `limit` entries whose text holds the keyword, letter case aside. */
	search(keyword: string, limit: number): Promise<readonly { content: string; scope: string; createdAt: Date }[]>;
}

export interface Skills {
	list(): readonly { name: string; description: string }[];
	/** The SKILL.md text, or undefined when there is none of that name for this agent. */
	read(name: string): Promise<string | undefined>;
}

/** The files of the caller's workspace. Whatever changes something does so once per call id; refusals are answered, never thrown. */
export interface Files {
	perform<Name extends OperationName>(
		name: Name,
		input: OperationInput<Name>,
	): Promise<FileReply<OperationOutput<Name>>>;
	/** Makes a file of a stream, or replaces one, when all of it has come; else nothing has changed. */
	store(
		path: string,
		body: ReadableStream<Uint8Array>,
		options?: { maxBytes?: number },
	): Promise<FileReply<{ path: string; size: number }>>;
	/** Runs a command line in the virtual shell. */
	shell(call: ShellCall): Promise<FileReply<ShellOutcome>>;
}

export interface Artifacts {
	/** Keeps a text, secrets taken out, and answers its id; undefined where there is no session to keep it in. */
	keep(text: string): Promise<string | undefined>;
}

/** Everything a tool may touch. It has no `env`: a tool reaches a binding only through an interface. */
export interface ToolContext {
	readonly agent: string;
	readonly principal: Principal;
	readonly sessionId: string | undefined;
	/** Stable across a repeat of the same call after a crash: the idempotency key of effects. */
	readonly callId: string;
	readonly settings: SettingsDocument;
	readonly fetch: GatedFetch;
	readonly download: GatedDownload;
	readonly files: Files;
	readonly artifacts: Artifacts;
	readonly channels: Channels;
	readonly memory: Memory;
	readonly skills: Skills;
	/** The value of a stored secret, or undefined; for a tool's own vendor key, never for content. */
	readonly secret: (name: string) => Promise<string | undefined>;
	readonly now: () => Date;
	readonly signal: AbortSignal;
}

/** What a tool may know to say that it cannot serve. */
export interface Surroundings {
	readonly settings: SettingsDocument;
	readonly channels: readonly string[];
	readonly runner: boolean;
	/** The commands of the SHELL list. */
	readonly commands: readonly string[];
}

/** A name of the policy that a call answers to besides its tool's, as deleting a directory does. */
export interface PolicySubject {
	readonly name: string;
	/** What holds when the policy's `tools` do not name it. */
	readonly default: PolicyAction;
}

/** Methods, not function properties, so that `Tool<Narrow>` fits where a `Tool` is asked for. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
	readonly name: string;
	readonly group: ToolGroup;
	/** Written for the model: what it does, when to use it, what comes back. */
	readonly description: string;
	readonly input: Input;
	readonly effects: "read" | "write" | "external";
	/** Whether a call that may have run can be run again, by nature or because `callId` makes its effect happen once. */
	readonly idempotent: boolean;
	/** Whether it works on files of the workspace, as the groups `files` and `shell` do without saying so. */
	readonly usesFiles?: boolean;
	/** The canonical tool this is another face of. */
	readonly aliasOf?: string;
	/** The input in the one way that rules over arguments need to know: of an alias, as its canonical tool takes it. */
	toCanonical?(input: z.output<Input>): Record<string, unknown>;
	/** Adds what only this deployment knows (the names of its channels) to the description. */
	describe?(around: Surroundings): string;
	/** Why the tool cannot serve here, or undefined. */
	unavailable?(around: Surroundings): string | undefined;
	/** What else of the policy this very call falls under; the strictest action holds. */
	policySubjects?(input: z.output<Input>): readonly PolicySubject[];
	touches(input: z.output<Input>, around: Surroundings): readonly Touch[];
	execute(ctx: ToolContext, input: z.output<Input>): Promise<ToolResult>;
}

/** Its name stays a literal type, so that a list of tools with two of one name does not compile. */
export type NamedTool<Name extends string, Input extends z.ZodObject> = Tool<Input> & { readonly name: Name };

export const defineTool = <const Name extends string, Input extends z.ZodObject>(
	tool: NamedTool<Name, Input>,
): NamedTool<Name, Input> => tool;

/** Another name and schema for a tool (X1); `map` turns its input into the canonical one. */
export function defineAlias<const Name extends string, Input extends z.ZodObject, Canonical extends z.ZodObject>(
	tool: Tool<Canonical>,
	alias: {
		name: Name;
		input: Input;
		description?: string;
		map(input: z.output<Input>): z.output<Canonical>;
		unavailable?(around: Surroundings): string | undefined;
	},
): NamedTool<Name, Input> {
	return {
		...tool,
		name: alias.name,
		description: alias.description ?? tool.description,
		input: alias.input,
		aliasOf: tool.aliasOf ?? tool.name,
		toCanonical: (input) => tool.toCanonical?.(alias.map(input)) ?? alias.map(input),
		policySubjects: (input) => tool.policySubjects?.(alias.map(input)) ?? [],
		unavailable: (around) => alias.unavailable?.(around) ?? tool.unavailable?.(around),
		touches: (input, around) => tool.touches(alias.map(input), around),
		execute: (ctx, input) => tool.execute(ctx, alias.map(input)),
	};
}
