export interface JsonBalance {
	push(piece: string): void;
	/** Whether every bracket that was opened is closed again: only then can the text be a whole value. */
	isClosed(): boolean;
}

/** Follows the brackets of a JSON text that comes in pieces, without ever looking back. */
export function jsonBalance(): JsonBalance {
	let depth = 0;
	let wasOpen = false;
	let inString = false;
	let isEscaped = false;

	function take(unit: string): void {
		if (isEscaped) isEscaped = false;
		else if (inString && unit === "\\") isEscaped = true;
		else if (unit === '"') inString = !inString;
		else if (!inString && (unit === "{" || unit === "[")) {
			depth++;
			wasOpen = true;
		} else if (!inString && (unit === "}" || unit === "]")) depth--;
	}

	return {
		push(piece) {
			for (const unit of piece) take(unit);
		},
		isClosed: () => wasOpen && depth === 0 && !inString,
	};
}
