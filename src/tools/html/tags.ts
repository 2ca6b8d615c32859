const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Never read, with all that they hold: no text of the page, or not shown. */
export const droppedTags = words(
	"script style noscript template svg iframe object embed canvas audio video map select datalist option button textarea progress meter annotation noembed noframes",
);

/** Say nothing about their text that Markdown could, so that following their ends would only cost time. */
export const transparentTags = words(
	"span font u small big time abbr bdi bdo ins mark label nobr var data output picture",
);

/** Have no content and no end tag. */
export const voidTags = words("area base br col embed hr img input link meta param source track wbr");

/** Begin and end a line of their own. */
export const blockTags = words(
	"address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre search section summary table tbody td tfoot th thead tr ul xmp",
);

export const headingTags = words("h1 h2 h3 h4 h5 h6");

interface ImpliedEnd {
	readonly closes: ReadonlySet<string>;
	/** How far up the open elements are looked through. */
	readonly within: ReadonlySet<string>;
}

const cells = words("td th");
const cellScope = words("td th caption table");

/** Which open element a start tag ends, since HTML lets its end tag be left out. */
const impliedEnds: ReadonlyMap<string, ImpliedEnd> = new Map(
	Object.entries({
		li: { closes: words("li"), within: words("ul ol menu dir table") },
		dt: { closes: words("dt dd"), within: words("dl table") },
		dd: { closes: words("dt dd"), within: words("dl table") },
		td: { closes: cells, within: words("tr table") },
		th: { closes: cells, within: words("tr table") },
		tr: { closes: words("tr"), within: words("table") },
		thead: { closes: words("thead tbody tfoot"), within: words("table") },
		tbody: { closes: words("thead tbody tfoot"), within: words("table") },
		tfoot: { closes: words("thead tbody tfoot"), within: words("table") },
		a: { closes: words("a"), within: cellScope },
	}),
);

const endsParagraph: ImpliedEnd = { closes: words("p"), within: words("td th caption table button object") };

export function impliedEndsOf(tag: string): readonly ImpliedEnd[] {
	const own = impliedEnds.get(tag);
	const paragraph = blockTags.has(tag) ? [endsParagraph] : [];
	return own ? [own, ...paragraph] : paragraph;
}
