import { getTableColumns } from "drizzle-orm";
import { chunk } from "./chunk";
import type { Db } from "./client";
import { toolInvocations } from "./schema";
import { versionStatement } from "./token-lookup";
import type { Invocation } from "./tool-invocations";

const columns = Object.entries(getTableColumns(toolInvocations));
const names = columns.map(([, column]) => column.name);
const updates = names.filter((name) => name !== "id").map((name) => `${name} = excluded.${name}`);
const placeholders = `(${names.map(() => "?").join(", ")})`;

/**
 * Stores the intents and outcomes of calls by id, so that a flush repeated after a crash is harmless;
 * an intent never overwrites an outcome. By hand, since it stands on the path of every direct execution.
 */
export async function insertInvocations(db: Db, rows: readonly Invocation[]): Promise<void> {
	if (rows.length > 0) await db.$client.batch(upserts(db, rows));
}

/** The same, and learns in the same round trip which version of the configuration is in force. */
export async function insertAndReadVersion(db: Db, rows: readonly Invocation[]): Promise<number> {
	const [read] = await db.$client.batch<{ version: number }>([versionStatement(db), ...upserts(db, rows)]);
	return read?.results[0]?.version ?? 0;
}

const upserts = (db: Db, rows: readonly Invocation[]) =>
	chunk(rows, columns.length).map((part) => db.$client.prepare(upsertOf(part.length)).bind(...part.flatMap(valuesOf)));

const valuesOf = (row: Invocation) =>
	columns.map(([field, column]) => {
		const value = row[field as keyof Invocation];
		return value === null ? null : column.mapToDriverValue(value);
	});

const upsertOf = (rows: number) => `
	INSERT INTO tool_invocations (${names.join(", ")}) VALUES ${Array(rows).fill(placeholders).join(", ")}
	ON CONFLICT (id) DO UPDATE SET ${updates.join(", ")}
	WHERE excluded.success IS NOT NULL OR tool_invocations.success IS NULL`;
