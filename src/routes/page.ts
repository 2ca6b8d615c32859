import * as z from "zod";
import type { Page } from "../db/page";
import { fromBase64, toBase64Url } from "../lib/hash";

/** Where a list goes on: the key of a row, wrapped so that nobody builds one by hand. */
const cursor = z
	.string()
	.max(1_000)
	.transform((text, context) => {
		try {
			return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fromBase64(text));
		} catch {
			context.addIssue("Send nextCursor of the page before, as it came.");
			return z.NEVER;
		}
	});

/** `limit` and `cursor`, which every list takes. */
export const pageQuery = z.strictObject({
	limit: z.coerce.number().int().min(1).max(200).default(50),
	cursor: cursor.optional(),
});

/** A page as it is answered. */
export const answerPage = <Row, View>({ items, next }: Page<Row>, view: (row: Row) => View) => ({
	items: items.map(view),
	nextCursor: next === undefined ? null : toBase64Url(new TextEncoder().encode(next)),
});
