import { type ListedFile, type Listing, maxMore } from "../../workspace/operations/list";

/** A listing so many levels deep as the model reads it: time, size and name, one entry a line, then in brackets what is not among them. */
export function showListing({ path, entries, more, unopened }: Listing, depth: number): string {
	if (entries.length === 0) return `[${path} is empty.]`;
	const notes = [
		more > 0 &&
			`${more < maxMore ? more : `At least ${more}`} more entries are not shown. List a directory below, or use glob.`,
		depth > 1 &&
			unopened > 0 &&
			`Not looked into: ${directories(unopened)} at level ${depth}. List one of them, or ask for more levels.`,
	];
	const remarks = notes.flatMap((note) => (note ? [`[${note}]`] : []));
	return [`${path}:`, ...entries.map(entryLine), ...remarks].join("\n");
}

function entryLine({ name, kind, size, mtimeMs, target }: ListedFile): string {
	const time = new Date(mtimeMs).toISOString().slice(0, 16).replace("T", " ");
	const columns = `${time}  ${(kind === "directory" ? "-" : String(size)).padStart(9)}`;
	if (kind === "directory") return `${columns}  ${name}/`;
	return `${columns}  ${name}${target === undefined ? "" : ` -> ${target}`}`;
}

const directories = (count: number) => (count === 1 ? "1 directory" : `${count} directories`);
