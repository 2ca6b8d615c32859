import { Hono } from "hono";
import type * as z from "zod";
import type { AppEnv } from "../app-env";
import { readSettings, writeSettings } from "../db/settings";
import type { Deployment } from "../durable/deployment";
import { normaliseEntry } from "../gates/list-entries";
import { isWithin } from "../gates/path";
import { judgeUrl } from "../gates/url";
import { AppError } from "../shared/errors";
import { inField } from "../shared/parse-input";
import { type SettingsDocument, settingsDocument } from "../shared/settings";
import { withExample } from "./described";
import { operation } from "./operation";
import { validate } from "./validate";

const tag = "settings";
const exampleSettings = {
	http: { readMode: "listed", timeoutSeconds: 20 },
	webSearch: { provider: "searxng", searxngUrl: "https://search.example.com", fetchEnabled: true },
	browser: { allowedDomains: ["*.example.com"] },
} satisfies z.input<typeof settingsDocument>;

export const settings = new Hono<AppEnv>()
	.get(
		"/",
		operation({ tag, summary: "See the settings", permission: "settings:list", answers: { 200: settingsDocument } }),
		async (c) => c.json(await readSettings(c.var.db)),
	)
	.put(
		"/",
		operation({
			tag,
			summary: "Replace the settings",
			description: "As a whole: what is left out takes its default.",
			permission: "settings:edit",
			answers: { 200: settingsDocument },
		}),
		validate("json", withExample(settingsDocument, exampleSettings)),
		async (c) => {
			const document = withCanonicalRoot(withCanonicalHosts(c.req.valid("json")));
			requireSearchServer(document, c.var.deployment);
			await writeSettings(c.var.db, document);
			return c.json(document);
		},
	);

/** Throws `invalid_input` for a search server that no list could open, or whose address carries a password, which settings would show. */
function requireSearchServer({ webSearch: { searxngUrl } }: SettingsDocument, { allowLoopback }: Deployment): void {
	if (searxngUrl === undefined) return;
	const url = URL.parse(searxngUrl);
	const entries = url ? [`${url.protocol === "http:" ? "http://" : ""}${url.host}`] : [];
	const verdict = judgeUrl(searxngUrl, { mode: "listed", entries, allowLoopback });
	if (!verdict.ok) throw new AppError("invalid_input", `webSearch.searxngUrl: ${verdict.message}`);
}

function withCanonicalHosts(document: SettingsDocument): SettingsDocument {
	const allowedDomains = document.browser.allowedDomains.map((domain, at) =>
		inField(`browser.allowedDomains[${at}]`, () => normaliseEntry("HTTP", domain)),
	);
	return { ...document, browser: { allowedDomains: [...new Set(allowedDomains)] } };
}

/** Throws `invalid_input` for a root that no workspace has: then every relative path would lead nowhere, or too far. */
function withCanonicalRoot(document: SettingsDocument): SettingsDocument {
	const root = inField("files.root", () => normaliseEntry("FILE", document.files.root));
	if (isWithin(root, "/workspace")) return { ...document, files: { ...document.files, root } };
	throw new AppError("invalid_input", "files.root: It must be /workspace or a directory below it.");
}
