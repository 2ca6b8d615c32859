import { apiOf, type Call } from "./api-client";
import { makeHome, type OryxProcess, startOryx } from "./oryx-process";
import { type AgentWorkspace, allowPrograms, makeAgent } from "./runner-calls";

const builtIn = "cat cd echo find head ls mkdir rm seq sort tr wc xargs".split(" ");
const programs = "interpreter:git interpreter:python3 nproc cksum no-such-program".split(" ");

/** A running `npm start` whose agents may run some programs, one of them missing. */
export interface ProgramsWorld extends Pick<OryxProcess, "output"> {
	readonly address: string;
	readonly call: Call;
	/** An agent whose workspace nobody else uses. */
	newAgent(settings?: object): Promise<AgentWorkspace & { readonly name: string }>;
	/** Sends an agent's model one call of `shell` for each command line. */
	turnOf(agent: string, commands: readonly string[]): Promise<TurnView>;
	close(): Promise<void>;
}

export interface TurnView {
	readonly status: string;
	readonly jobId?: string;
	readonly toolCalls: readonly {
		readonly result: {
			readonly success: boolean;
			readonly content: string;
			readonly meta: { readonly sandbox?: string };
		};
	}[];
}

export async function startProgramsWorld(environment: Readonly<Record<string, string>> = {}): Promise<ProgramsWorld> {
	const home = await makeHome(environment);
	const oryx = await startOryx(home);
	const call = apiOf(home);
	await allowPrograms(call, [...builtIn, ...programs]);
	let agents = 0;
	return {
		address: home.address,
		call,
		output: oryx.output,
		async newAgent(settings = {}) {
			const name = `agent-${++agents}`;
			return { name, ...(await makeAgent(home, call, name, settings)) };
		},
		turnOf: (agent, commands) => call("POST", `/agents/${agent}/turns`, { message: shellCalls(commands) }),
		async close() {
			await oryx.kill();
			home.discard();
		},
	};
}

/** A message for the manual model. */
export const shellCalls = (commands: readonly string[]): string =>
	commands.map((command) => `/shell ${JSON.stringify({ command })}`).join("\n");
