import { env } from "cloudflare:workers";

/** The database of the test, and how often it was asked: a batch is one trip, and so is a statement run alone. */
export function countedDatabase(): { DB: D1Database; trips: () => number } {
	const originals = new WeakMap<object, D1PreparedStatement>();
	let trips = 0;
	function counted(statement: D1PreparedStatement): D1PreparedStatement {
		const proxy = new Proxy(statement, {
			get(target, name) {
				if (name === "bind") return (...values: unknown[]) => counted(target.bind(...values));
				if (["first", "run", "all", "raw"].includes(String(name))) trips++;
				const member: unknown = Reflect.get(target, name);
				return typeof member === "function" ? member.bind(target) : member;
			},
		});
		originals.set(proxy, statement);
		return proxy;
	}
	const DB = new Proxy(env.DB, {
		get(target, name) {
			if (name === "prepare") return (query: string) => counted(target.prepare(query));
			if (name !== "batch") return Reflect.get(target, name) as unknown;
			return (statements: D1PreparedStatement[]) => {
				trips++;
				return target.batch(statements.map((statement) => originals.get(statement) ?? statement));
			};
		},
	});
	return { DB, trips: () => trips };
}
