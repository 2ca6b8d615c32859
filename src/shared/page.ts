import * as z from "zod";

/** How every list answers; `nextCursor` is null on the last page. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
	z.object({ items: z.array(item), nextCursor: z.string().nullable() });
