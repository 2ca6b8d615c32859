import { type Decoders, TreeBuilder } from "./tree-builder";

export interface ReadHtml {
	readonly page: TreeBuilder;
	/** Why reading stopped before the end, as a sentence for the model. */
	readonly stopped: string | undefined;
}

/**
 * The parser hands over one element or piece of text at a time, and each hand-over costs microseconds whatever it holds:
 * a page of nothing but `<` has one a byte. No page that people read comes near this.
 */
const maxHandovers = 120_000;

/** Reads HTML into a tree of about `maxTextChars` of text at most. Markup that the parser gives up on ends the tree early and is told of, never thrown. */
export async function readHtml(html: string, maxTextChars: number): Promise<ReadHtml> {
	const page = new TreeBuilder(await loadDecoders(), maxTextChars);
	let text = "";
	let handovers = 0;
	const isEnough = () => page.isFull || handovers >= maxHandovers;
	const rewriter = new HTMLRewriter()
		.on("*", {
			element(element) {
				handovers++;
				const opened = page.open(element.tagName, new Map(element.attributes as Iterable<[string, string]>));
				if (opened) atEndTag(element, () => page.close(opened));
			},
		})
		.onDocument({
			text(chunk) {
				handovers++;
				text += chunk.text;
				if (!chunk.lastInTextNode) return;
				page.text(text);
				text = "";
			},
		});
	try {
		await rewriter.transform(new Response(inPieces(html, isEnough))).arrayBuffer();
		return { page, stopped: isEnough() ? "The page is too long to be read to its end." : undefined };
	} catch (error) {
		page.text(text);
		return { page, stopped: whyStopped(error) };
	}
}

/** Self-closed elements of SVG and MathML have no end tag; asking is the only way to know. */
function atEndTag(element: { onEndTag(handler: () => void): void }, close: () => void): void {
	try {
		element.onEndTag(close);
	} catch {
		close();
	}
}

const pieceBytes = 16_384;

/** The page as a stream that ends early once enough of it is read: to throw in a handler would be logged as uncaught. */
function inPieces(html: string, isEnough: () => boolean): ReadableStream<Uint8Array> {
	const bytes = new TextEncoder().encode(html);
	let at = 0;
	return new ReadableStream({
		pull(controller) {
			if (at >= bytes.length || isEnough()) return controller.close();
			controller.enqueue(bytes.subarray(at, at + pieceBytes));
			at += pieceBytes;
		},
	});
}

function whyStopped(error: unknown): string {
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
