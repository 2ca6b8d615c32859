declare module "*?raw" {
	const text: string;
	// biome-ignore lint/style/noDefaultExport: the bundler hands a raw file over as a default export
	export default text;
}

interface ImportMeta {
	/** Files that the bundler finds, by their path; none where there is none. */
	glob<Content>(
		pattern: string,
		options: { query: "?raw"; import: "default"; eager: true },
	): Readonly<Record<string, Content>>;
}
