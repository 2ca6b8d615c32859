const byEnding: Readonly<Record<string, string>> = {
	json: "application/json",
	pdf: "application/pdf",
	zip: "application/zip",
	gz: "application/gzip",
	tgz: "application/gzip",
	tar: "application/x-tar",
	wasm: "application/wasm",
	png: "image/png",
	jpg: "image/jpeg",
	jpeg: "image/jpeg",
	gif: "image/gif",
	webp: "image/webp",
	ico: "image/x-icon",
	mp3: "audio/mpeg",
	wav: "audio/wav",
	mp4: "video/mp4",
	csv: "text/csv; charset=utf-8",
	md: "text/markdown; charset=utf-8",
};

const texts = new Set(
	`txt text log html htm xhtml svg xml css js mjs cjs jsx ts mts cts tsx vue svelte jsonl ndjson json5 yaml yml toml ini cfg conf
	env sh bash zsh fish ps1 bat py rb go rs java kt kts c h cc cpp hpp cs swift php pl lua r sql graphql proto tex rst adoc diff
	patch lock gitignore dockerfile makefile license readme`.split(/\s+/),
);

/** What a file is by its name alone. Nothing that a browser would run: pages, pictures with scripts and scripts are plain text. */
export function contentTypeOf(path: string): string {
	const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
	const ending = name.slice(name.lastIndexOf(".") + 1);
	if (Object.hasOwn(byEnding, ending)) return byEnding[ending] ?? "";
	return texts.has(ending) ? "text/plain; charset=utf-8" : "application/octet-stream";
}

/** Makes a browser save what it gets, by the name that it has here (RFC 6266). */
export function asAttachment(name: string): string {
	const plain = name.replace(/[^\w .()+,=@-]/g, "_");
	const encoded = encodeURIComponent(name.toWellFormed()).replace(
		/['()*]/g,
		(mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
