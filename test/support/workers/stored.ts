import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Every row of D1 as text. */
export async function storedInD1(): Promise<string> {
	const { results } = await env.DB.prepare(
		"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
	).all<{ name: string }>();
	const tables = await Promise.all(results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`).raw()));
	return JSON.stringify(tables);
}

/** Every row and value of a Durable Object as text. */
export async function storedInObject(stub: DurableObjectStub): Promise<string> {
	return await runInDurableObject(stub, (_, { storage }) => {
		const tables = storage.sql.exec(
			"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
		);
		const rows = tables.toArray().map(({ name }) => storage.sql.exec(`SELECT * FROM "${name}"`).toArray());
		return JSON.stringify([rows, [...storage.kv.list()]]);
	});
}
