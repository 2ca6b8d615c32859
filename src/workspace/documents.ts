/** A document of the virtual tree was asked for before it was loaded; load it and run the operation again. */
export class DocumentsNeeded extends Error {
	override readonly name = "DocumentsNeeded";
	readonly path: string;

	constructor(path: string) {
		super(`The document ${path} is not loaded.`);
		this.path = path;
	}
}

/** What stands under `/skills`, `/memory` and `/artifacts`: read-only text. */
export interface Documents {
	/** Throws DocumentsNeeded when it cannot say yet. */
	look(
		path: string,
	):
		| { readonly kind: "directory"; readonly names: readonly string[] }
		| { readonly kind: "file"; readonly text: string; readonly mtimeMs: number }
		| undefined;
}
