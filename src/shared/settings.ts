import * as z from "zod";

/** Deployment-wide settings that are no list and no policy (features.md P5); every field has a default. */
export const settingsDocument = z.strictObject({
	/** `listed`: every URL must be on the HTTP list; `public`: reads may go to any public host (X26). */
	http: z
		.strictObject({
			readMode: z.enum(["listed", "public"]).default("listed"),
			maxResponseBytes: z.number().int().min(1_000).max(10_000_000).default(1_000_000),
			timeoutSeconds: z.number().int().min(1).max(120).default(30),
		})
		.prefault({}),
	webSearch: z
		.strictObject({
			enabled: z.boolean().default(true),
			provider: z.enum(["duckduckgo", "brave", "searxng"]).default("duckduckgo"),
			/** Base URL of a SearXNG server with its JSON format switched on. */
			searxngUrl: z.url().optional(),
			/** Name of the stored secret that holds the Brave key. */
			braveApiKeySecret: z.string().default("BRAVE_API_KEY"),
			maxResults: z.number().int().min(1).max(10).default(5),
			timeoutSeconds: z.number().int().min(1).max(60).default(10),
			/** Opens `web_fetch`, which also needs `browser.allowedDomains` (X30). */
			fetchEnabled: z.boolean().default(false),
			fetchMaxChars: z.number().int().min(1_000).max(500_000).default(50_000),
		})
		.prefault({}),
	browser: z.strictObject({ allowedDomains: z.array(z.string().max(300)).max(500).default([]) }).prefault({}),
	/** Default of an agent that does not say (X3). */
	onNonretryable: z.enum(["surface", "feed_back"]).default("feed_back"),
	files: z
		.strictObject({
			/** The workspace root (D2): relative paths begin here, and it is always on the FILE list. */
			root: z.string().min(1).max(1_024).default("/workspace"),
			maxFileBytes: z.number().int().min(1_000).max(104_857_600).default(104_857_600),
			/** Of one workspace, jobs left out. */
			maxWorkspaceBytes: z.number().int().min(1_000).max(8_589_934_592).default(1_073_741_824),
		})
		.prefault({}),
	/** Write sandbox (I3, I4). */
	writeSandbox: z
		.strictObject({
			maxBytesPerJob: z.number().int().min(1_000).max(2_147_483_648).default(268_435_456),
			/** Since the last use; then the job is rolled back. */
			ttlSeconds: z.number().int().min(1).max(604_800).default(300),
		})
		.prefault({}),
	shell: z.strictObject({ timeoutSeconds: z.number().int().min(1).max(60).default(30) }).prefault({}),
	/** What a program on the runner may use, with all that it starts (D12, X43). */
	resources: z
		.strictObject({
			maxMemoryMb: z.number().int().min(16).max(65_536).default(512),
			maxCpuPercent: z.number().int().min(1).max(6_400).default(80),
			maxCpuTimeSeconds: z.number().int().min(1).max(3_600).default(60),
			maxOpenFiles: z.number().int().min(16).max(65_536).default(256),
			maxSubprocesses: z.number().int().min(1).max(4_096).default(64),
		})
		.prefault({}),
	/** `required` refuses to run a program where nothing but the runner's own user confines it (X47). */
	sandbox: z.strictObject({ required: z.boolean().default(true) }).prefault({}),
	/** Memory markdown is closed to file tools, and recall to every agent (X31). */
	memory: z.strictObject({ aclEnabled: z.boolean().default(false) }).prefault({}),
});
export type SettingsDocument = z.output<typeof settingsDocument>;
