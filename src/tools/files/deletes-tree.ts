import type { PolicySubject } from "../tool";

/** Deleting a directory with what is in it is a subject of the policy by itself, and needs approval unless that says otherwise (X10). */
export const deletesTree = ({ recursive }: { recursive?: boolean | undefined }): readonly PolicySubject[] =>
	recursive ? [{ name: "delete_recursive", default: "supervised" }] : [];
