import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./source";

/** The fenced block that follows a comment `<!-- name: … -->` in README.md. */
export function readmeBlock(name: string): string {
	const text = readFileSync(path.join(root, "README.md"), "utf8");
	const [, after] = text.split(`<!-- ${name}:`);
	const block = after?.match(/-->\n```bash\n([\s\S]*?)```/)?.[1];
	if (!block) throw new Error(`README.md has no block marked ${name}.`);
	return block;
}
