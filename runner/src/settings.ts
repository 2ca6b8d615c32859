import * as z from "zod";
import { sandboxBackend } from "../../src/shared/runner";

const environment = z.object({
	RUNNER_TOKEN: z.string().min(16, "RUNNER_TOKEN is due: at least 16 characters that callers send as a bearer token."),
	RUNNER_HOST: z.string().default("0.0.0.0"),
	PORT: z.coerce.number().int().min(0).max(65_535).default(8_080),
	/** Mirrors and homes of servers; every user must be able to pass through the folders above it. */
	RUNNER_STATE_DIR: z.string().optional(),
	RUNNER_SANDBOX: z.enum(["auto", ...sandboxBackend.options]).default("auto"),
	/** `off` lets programs run without any sandbox where none holds. */
	RUNNER_SANDBOX_REQUIRED: z.enum(["on", "off"]).default("on"),
	/** Launchers of MCP servers beyond the usual ones, comma-separated. */
	RUNNER_LAUNCHERS: z.string().default(""),
});

export interface RunnerSettings {
	readonly token: string;
	readonly host: string;
	readonly port: number;
	readonly stateFolder: string;
	readonly sandbox: "auto" | z.output<typeof sandboxBackend>;
	readonly isSandboxRequired: boolean;
	readonly addedLaunchers: readonly string[];
}

/** Reads the runner's settings from its environment. Throws with the name of the first variable that is wrong. */
export function readSettings(
	values: Readonly<Record<string, string | undefined>>,
	defaultFolder: string,
): RunnerSettings {
	const parsed = environment.safeParse(values);
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		throw new Error(`${issue?.path.join(".")}: ${issue?.message}`);
	}
	const given = parsed.data;
	return {
		token: given.RUNNER_TOKEN,
		host: given.RUNNER_HOST,
		port: given.PORT,
		stateFolder: given.RUNNER_STATE_DIR ?? defaultFolder,
		sandbox: given.RUNNER_SANDBOX,
		isSandboxRequired: given.RUNNER_SANDBOX_REQUIRED === "on",
		addedLaunchers: given.RUNNER_LAUNCHERS.split(",")
			.map((name) => name.trim())
			.filter(Boolean),
	};
}
