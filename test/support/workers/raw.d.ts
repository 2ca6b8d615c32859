declare module "*?raw" {
	const text: string;
	// biome-ignore lint/style/noDefaultExport: the bundler hands a raw file over as a default export
	export default text;
}
