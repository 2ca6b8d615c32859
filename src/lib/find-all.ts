/**
 * Where a text stands in another, overlapping places included. In linear time (Knuth, Morris and Pratt): the engine's own
 * `indexOf` is quadratic for long texts of few letters.
 */
export function findAll(text: string, wanted: string): number[] {
	if (wanted === "") return [];
	const borders = bordersOf(wanted);
	const found: number[] = [];
	let matched = 0;
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
		if (wanted.charCodeAt(matched) === unit) matched++;
		if (matched < wanted.length) continue;
		found.push(at + 1 - matched);
		matched = borders[matched - 1] ?? 0;
	}
	return found;
}

/** For each beginning of a text the length of the longest part of it that it both begins and ends with. */
function bordersOf(wanted: string): Int32Array {
	const borders = new Int32Array(wanted.length);
	let length = 0;
	for (let at = 1; at < wanted.length; at++) {
		const unit = wanted.charCodeAt(at);
		while (length > 0 && wanted.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
		if (wanted.charCodeAt(length) === unit) length++;
		borders[at] = length;
	}
	return borders;
}
