import { Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../app-env";
import { addEntry, readWhitelist, removeEntry } from "../db/whitelist";
import { parseHostEntry } from "../gates/host-entry";
import { hostKind } from "../gates/host-kind";
import { normaliseEntry } from "../gates/list-entries";
import { AppError } from "../shared/errors";
import { pageOf } from "../shared/page";
import { inField, parseInput } from "../shared/parse-input";
import { type WhitelistCategory, whitelistCategory, whitelistChange, whitelistView } from "../shared/whitelist";
import { withExample } from "./described";
import { operation } from "./operation";
import { validate } from "./validate";

const tag = "whitelist";
const entry = z.strictObject({ value: z.string() });

export const whitelist = new Hono<AppEnv>()
	.get(
		"/",
		operation({
			tag,
			summary: "See the three lists",
			description: "An empty list denies everything.",
			permission: "whitelist:list",
			answers: { 200: pageOf(whitelistView) },
		}),
		async (c) => {
			const lists = await readWhitelist(c.var.db);
			const items = whitelistCategory.options.map((category) => ({ category, entries: lists[category] }));
			return c.json({ items, nextCursor: null });
		},
	)
	.get(
		"/:category",
		operation({
			tag,
			summary: "See one list",
			permission: "whitelist:list",
			answers: { 200: whitelistView },
			errors: ["invalid_input"],
		}),
		async (c) => {
			const category = categoryOf(c.req.param("category"));
			return c.json({ category, entries: (await readWhitelist(c.var.db))[category] });
		},
	)
	.post(
		"/:category",
		operation({
			tag,
			summary: "Add an entry",
			description: "In force at the next request, everywhere. The value is stored in its one spelling.",
			permission: "whitelist:edit",
			answers: { 200: whitelistChange },
		}),
		validate("json", withExample(entry, { value: "*.example.com" })),
		async (c) => {
			const category = categoryOf(c.req.param("category"));
			const value = canonical(category, c.req.valid("json").value);
			if (!c.var.deployment.allowLoopback) refuseLoopback(category, value);
			return c.json({ category, value, ...(await addEntry(c.var.db, category, value, new Date())) });
		},
	)
	.delete(
		"/:category",
		operation({
			tag,
			summary: "Remove an entry",
			permission: "whitelist:edit",
			answers: { 200: whitelistChange },
			errors: ["invalid_input"],
		}),
		validate("query", entry),
		async (c) => {
			const category = categoryOf(c.req.param("category"));
			const value = canonical(category, c.req.valid("query").value);
			return c.json({ category, value, ...(await removeEntry(c.var.db, category, value)) });
		},
	);

const canonical = (category: WhitelistCategory, value: string) =>
	inField("value", () => normaliseEntry(category, value));

const categoryOf = (text: string): WhitelistCategory =>
	parseInput(z.object({ category: whitelistCategory }), { category: text }).category;

function refuseLoopback(category: WhitelistCategory, value: string): void {
	const parsed = category === "HTTP" ? parseHostEntry(value) : undefined;
	if (!parsed?.ok || !hostKind(parsed.entry.host).startsWith("loopback")) return;
	throw new AppError(
		"invalid_input",
		"value: loopback addresses can be listed in development only (ORYX_ALLOW_LOOPBACK=1).",
	);
}
