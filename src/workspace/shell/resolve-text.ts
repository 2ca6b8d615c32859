/** A path put behind a base and made normal in text: absolute, without `.`, `..` and empty parts. */
export function resolveText(base: string, path: string): string {
	const parts: string[] = [];
	for (const part of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
		if (part === "..") parts.pop();
		else if (part !== "" && part !== ".") parts.push(part);
	}
	return `/${parts.join("/")}`;
}
