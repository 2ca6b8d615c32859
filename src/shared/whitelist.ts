import * as z from "zod";

export const whitelistCategory = z.enum(["FILE", "SHELL", "HTTP"]);
export type WhitelistCategory = z.output<typeof whitelistCategory>;
export type Whitelist = Readonly<Record<WhitelistCategory, readonly string[]>>;

export const whitelistView = z.object({ category: whitelistCategory, entries: z.array(z.string()) });
export const whitelistChange = whitelistView.extend({
	value: z.string().describe("The entry as it is stored."),
	changed: z.boolean().describe("False when the list already was as asked."),
});
