import { resolvePath } from "../../gates/path";
import type { SettingsDocument } from "../../shared/settings";

/** A path as short as a tool would take it back: relative below the workspace root. */
export function shownPath(path: string, { files }: Pick<SettingsDocument, "files">): string {
	const root = resolvePath(files.root);
	const above = root.ok && root.path !== "/" ? `${root.path}/` : "/";
	return path.startsWith(above) && path !== above ? path.slice(above.length) : path;
}
