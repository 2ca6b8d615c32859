import * as z from "zod";

export const whitelistCategory = z.enum(["FILE", "SHELL", "HTTP"]);
export type WhitelistCategory = z.output<typeof whitelistCategory>;
export type Whitelist = Readonly<Record<WhitelistCategory, readonly string[]>>;
