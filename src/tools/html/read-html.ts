import { type Decoders, TreeBuilder } from "./tree-builder";

export interface ReadHtml {
	readonly page: TreeBuilder;
	/** Why reading stopped before the end, as a sentence for the model. */
	readonly stopped: string | undefined;
}

/** Reads HTML into a tree. Markup that the parser gives up on ends the tree early and is told of, never thrown. */
export async function readHtml(html: string): Promise<ReadHtml> {
	const page = new TreeBuilder(await loadDecoders());
	let text = "";
	const rewriter = new HTMLRewriter()
		.on("*", {
			element(element) {
				if (page.isFull) throw new Error("full");
				const opened = page.open(element.tagName, new Map(element.attributes as Iterable<[string, string]>));
				if (opened) atEndTag(element, () => page.close(opened));
			},
		})
		.onDocument({
			text(chunk) {
				text += chunk.text;
				if (!chunk.lastInTextNode) return;
				page.text(text);
				text = "";
			},
		});
	try {
		await rewriter.transform(new Response(html)).body?.pipeTo(new WritableStream());
		return { page, stopped: undefined };
	} catch (error) {
		page.text(text);
		return { page, stopped: whyStopped(page, error) };
	}
}

/** Self-closed elements of SVG and MathML have no end tag; asking is the only way to know. */
function atEndTag(element: Element, close: () => void): void {
	try {
		element.onEndTag(close);
	} catch {
		close();
	}
}

function whyStopped(page: TreeBuilder, error: unknown): string {
	if (page.isFull) return "The page has too many parts to be read to its end.";
	const isMemory = error instanceof Error && /memory limit/i.test(error.message);
	return isMemory
		? "The page's elements are nested too deeply to be read to its end."
		: "The page's markup is broken in a way that cannot be read past.";
}

/** The tables of named character references are large, and most isolates never read a page. */
async function loadDecoders(): Promise<Decoders> {
	const { decodeHTML, decodeHTMLAttribute } = await import("entities/decode");
	return { text: (raw) => decodeHTML(raw), attribute: (raw) => decodeHTMLAttribute(raw) };
}
