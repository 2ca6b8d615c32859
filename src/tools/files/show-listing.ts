import type { ListedFile, Listing } from "../../workspace/operations/list";

/** A listing as the model reads it: time, size and name, one entry a line. */
export function showListing({ path, entries, more }: Listing): string {
	if (entries.length === 0) return `[${path} is empty.]`;
	const rest = more > 0 ? [`[${more} more entries are not shown. List a directory below, or use glob.]`] : [];
	return [`${path}:`, ...entries.map(entryLine), ...rest].join("\n");
}

function entryLine({ name, kind, size, mtimeMs, target }: ListedFile): string {
	const time = new Date(mtimeMs).toISOString().slice(0, 16).replace("T", " ");
	const columns = `${time}  ${(kind === "directory" ? "-" : String(size)).padStart(9)}`;
	if (kind === "directory") return `${columns}  ${name}/`;
	return `${columns}  ${name}${target === undefined ? "" : ` -> ${target}`}`;
}
