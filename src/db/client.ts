import { drizzle } from "drizzle-orm/d1";
import * as schema from "./schema";

/** The only place that makes a drizzle connection. */
export const connect = (d1: D1Database) => drizzle(d1, { schema });

export type Db = ReturnType<typeof connect>;
