import type { FileSystem } from "./file-system";
import { lookAt, lookAtLink } from "./operations/look";
import { Refused } from "./refused";

/** What must be true of what stands at a path (RFC 9110, section 13.1). `etags` without their quotes, which only files have. */
export interface Conditions {
	readonly ifMatch?: readonly string[] | "*";
	readonly ifNoneMatch?: readonly string[] | "*";
}

/** Throws Refused, `precondition_failed`, where a condition does not hold; and as FileSystem does. */
export function checkConditions(files: FileSystem, path: string, { ifMatch, ifNoneMatch }: Conditions): void {
	const isOne = (wanted: readonly string[] | "*") => {
		if (wanted === "*") return lookAtLink(files, path) !== undefined;
		return lookAt(files, path)?.kind === "file" && wanted.includes(files.digest(path));
	};
	const holds = (ifMatch === undefined || isOne(ifMatch)) && (ifNoneMatch === undefined || !isOne(ifNoneMatch));
	if (!holds) throw new Refused(preconditionFailed(path));
}

const preconditionFailed = (path: string) => ({
	code: "conflict" as const,
	reason: "precondition_failed",
	message: `${path} is not as the request says it must be. Read it again and send its ETag.`,
	retryable: true,
	gate: false,
});
