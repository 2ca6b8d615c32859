/** A database that fails at every question, as D1 does: with an error that wraps its reason. */
export function brokenDatabase(reason: string): D1Database {
	const fail = () => Promise.reject(new Error(`D1_ERROR: ${reason}`, { cause: new Error(reason) }));
	const statement: D1PreparedStatement = { bind: () => statement, first: fail, run: fail, all: fail, raw: fail };
	return { prepare: () => statement, batch: fail, exec: fail, dump: fail, withSession: () => brokenSession(statement) };
}

const brokenSession = (statement: D1PreparedStatement): D1DatabaseSession => ({
	prepare: () => statement,
	batch: () => Promise.reject(new Error("D1_ERROR: no session")),
	getBookmark: () => null,
});
