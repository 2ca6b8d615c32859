import { desc, eq, lt } from "drizzle-orm";
import { AppError } from "../shared/errors";
import type { Db } from "./client";
import { type Page, type PageQuery, pageOf } from "./page";
import { tokens } from "./schema";

type Token = typeof tokens.$inferSelect;
/** What may be told of a token. */
export type TokenHead = Omit<Token, "hash">;

export async function insertToken(db: Db, token: Token): Promise<void> {
	await db.insert(tokens).values(token);
}

/** By id, descending: ids are random, so the order means nothing but holds. */
export async function listTokens(db: Db, { after, limit }: PageQuery): Promise<Page<TokenHead>> {
	const rows = await db.query.tokens.findMany({
		columns: { hash: false },
		where: after === undefined ? undefined : lt(tokens.id, after),
		orderBy: desc(tokens.id),
		limit: limit + 1,
	});
	return pageOf(rows, limit, (row) => row.id);
}

/** Throws `not_found`. */
export async function getToken(db: Db, id: string): Promise<TokenHead> {
	const token = await db.query.tokens.findFirst({ columns: { hash: false }, where: eq(tokens.id, id) });
	if (!token) throw new AppError("not_found", `No token ${id}.`);
	return token;
}

/** The token is refused from the next request on. Throws `not_found`. */
export async function deleteToken(db: Db, id: string): Promise<void> {
	const gone = await db.delete(tokens).where(eq(tokens.id, id)).returning({ id: tokens.id });
	if (gone.length === 0) throw new AppError("not_found", `No token ${id}.`);
}
