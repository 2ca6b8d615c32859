import { globSync, readFileSync } from "node:fs";
import path from "node:path";

export const root = path.join(import.meta.dirname, "../../..");

export interface SourceFile {
	/** Relative to the root, with `/`. */
	readonly path: string;
	readonly text: string;
	/** What it imports, as written. */
	readonly imports: readonly string[];
}

/** Reads every TypeScript file that one of the globs names, declarations left out. */
export function readSources(...globs: string[]): SourceFile[] {
	const paths = globSync(globs, { cwd: root }).filter((file) => !file.endsWith(".d.ts"));
	return paths.sort().map((file) => {
		const text = readFileSync(path.join(root, file), "utf8");
		return { path: file.replaceAll(path.sep, "/"), text, imports: importsOf(text) };
	});
}

/** Specifiers of static and dynamic imports and of re-exports; types count as well. */
export function importsOf(text: string): string[] {
	const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
	const patterns = [/^\s*(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"']+)["']/gm, /^\s*import\s*["']([^"']+)["']/gm];
	patterns.push(/\bimport\(\s*["']([^"']+)["']/g);
	return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1] ?? ""));
}
