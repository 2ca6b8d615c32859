import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "../../..");
const fixtures = path.join(root, "test/fixtures/mcp-servers");
const installed = path.join(root, ".wrangler/mcp-servers");
const lockOf = (folder: string) => readFileSync(path.join(folder, "package-lock.json"), "utf8");

/**
 * The folder of the MCP servers that we test against, installed from the registry when it is first asked for: nothing else
 * needs their 200 packages.
 */
export function mcpPeers(): string {
	mkdirSync(installed, { recursive: true });
	const isCurrent = existsSync(path.join(installed, "package-lock.json")) && lockOf(installed) === lockOf(fixtures);
	cpSync(fixtures, installed, { recursive: true });
	if (isCurrent && existsSync(path.join(installed, "node_modules/.package-lock.json"))) return installed;
	const options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
	execFileSync("npm", options, { cwd: installed, stdio: ["ignore", "ignore", "inherit"] });
	return installed;
}
