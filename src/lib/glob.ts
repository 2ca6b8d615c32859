/**
 * Whether `pattern` matches the whole text, letter case kept: `*` is any run of characters, `?` exactly one.
 * Takes at most pattern × text steps, however hostile either is.
 */
export function matchesGlob(pattern: string, text: string): boolean {
	let p = 0;
	let t = 0;
	let star = -1;
	let resume = 0;
	while (t < text.length) {
		const wanted = pattern[p];
		if (wanted === "*") {
			star = p++;
			resume = t;
		} else if (wanted === "?") {
			p++;
			t += widthAt(text, t);
		} else if (wanted === text[t]) {
			p++;
			t++;
		} else if (star >= 0) {
			p = star + 1;
			resume += widthAt(text, resume);
			t = resume;
		} else return false;
	}
	while (pattern[p] === "*") p++;
	return p === pattern.length;
}

/** UTF-16 units of the character at `index`. */
const widthAt = (text: string, index: number) => ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
