import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";

/**
 * As `rm -rf`, whatever a program left: directories that forbid it to their owner, and paths that are longer than the kernel takes
 * in one piece, at which Node's own gives up.
 */
export function removeAll(absolute: string): void {
	try {
		rmSync(absolute, { recursive: true, force: true });
	} catch (error) {
		spawnSync("chmod", ["-R", "u+rwx", "--", absolute], { stdio: "ignore" });
		spawnSync("rm", ["-rf", "--", absolute], { stdio: "ignore" });
		if (existsSync(absolute)) throw error;
	}
}
