import type { GrepOutcome } from "./findings";

/** As grep shows it: `file:line:text` for a match, `file-line-text` for a line around it, `--` between what does not follow on. */
export function showMatches({ lines }: Pick<GrepOutcome, "lines">): string {
	const hasContext = lines.some(({ isMatch }) => !isMatch);
	return lines
		.flatMap(({ path, line, text, isMatch }, at) => {
			const sign = isMatch ? ":" : "-";
			const last = lines[at - 1];
			const follows = !last || (last.path === path && last.line + 1 >= line);
			return [...(hasContext && !follows ? ["--"] : []), `${path}${sign}${line}${sign}${text}`];
		})
		.join("\n");
}
