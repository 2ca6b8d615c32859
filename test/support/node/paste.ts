import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { root } from "./source";

/** Pastes commands into bash, as a reader does; answers what came to the screen. A command that fails is the last one. */
export async function paste(
	commands: string,
	environment: Readonly<Record<string, string>>,
): Promise<{ screen: string; errors: string; code: number | null }> {
	const bash = spawn("bash", ["-e"], {
		cwd: root,
		env: { ...process.env, ...environment },
		stdio: ["pipe", "pipe", "pipe"],
	});
	bash.stdin.end(commands);
	const ended = once(bash, "close");
	const [screen, errors, [code]] = await Promise.all([text(bash.stdout), text(bash.stderr), ended]);
	return { screen, errors, code };
}
