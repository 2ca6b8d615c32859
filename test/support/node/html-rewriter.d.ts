/** The part of workerd's HTML parser that the Worker uses: programs on Node check its types and never run it. */
declare class HTMLRewriter {
	on(selector: string, handlers: { element(element: RewriterElement): void }): HTMLRewriter;
	onDocument(handlers: {
		text(chunk: { readonly text: string; readonly lastInTextNode: boolean }): void;
	}): HTMLRewriter;
	transform(response: Response): Response;
}

interface RewriterElement {
	readonly tagName: string;
	readonly attributes: Iterable<[string, string]>;
	onEndTag(handler: () => void): void;
}
