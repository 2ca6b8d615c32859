import { env } from "cloudflare:workers";

/** Every cell of every table, as one text. */
export async function wholeDatabase(): Promise<string> {
	const tables = await env.DB.prepare(
		"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
	).all();
	const rows = await Promise.all(tables.results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`).all()));
	return JSON.stringify(rows.map(({ results }) => results));
}
