import type { ToolErrorCode } from "../shared/tool-result";
import { FsError, type FsErrorCode } from "./fs-error";
import { FileRefused } from "./guarded";
import { JobRefused } from "./jobs";
import { LayerGone } from "./nodes";
import { Refused } from "./refused";
import type { FileRefusal } from "./reply";
import { PatternRefused } from "./search/pattern-refused";

/** The form in which an expected failure of files leaves the workspace, or undefined for any other error. */
export function refusalOf(error: unknown): FileRefusal | undefined {
	if (error instanceof Refused) return error.refusal;
	if (error instanceof FileRefused) {
		const { reason, message } = error;
		// No rule says how long a name may be: no file system could hold it.
		if (reason === "name_too_long") return { code: "invalid_arguments", reason, message, retryable: true, gate: false };
		return { code: "not_listed", reason, message, retryable: false, gate: true };
	}
	if (error instanceof JobRefused) {
		const { code, reason, message, paths } = error;
		return { code, reason, message, retryable: false, gate: false, ...(paths.length > 0 && { paths }) };
	}
	if (error instanceof PatternRefused) {
		return { code: "invalid_arguments", reason: error.reason, message: error.message, retryable: true, gate: false };
	}
	if (error instanceof LayerGone) {
		const message = "The job was committed or rolled back while this ran, so nothing was changed. Begin a new one.";
		return { code: "conflict", reason: "job_closed", message, retryable: false, gate: false };
	}
	if (!(error instanceof FsError)) return undefined;
	const { code, reason, sentence } = failures[error.code];
	const why = error.detail === undefined ? "" : ` (${error.detail})`;
	return { code, reason, message: sentence(error.path, why), retryable: retryable.includes(code), gate: false };
}

/** Codes of a call that may succeed when it is made with other words. */
const retryable: readonly ToolErrorCode[] = ["invalid_arguments", "not_found", "conflict"];

interface Failure {
	readonly code: ToolErrorCode;
	readonly reason: string;
	readonly sentence: (path: string, why: string) => string;
}

/** What each failure is to a caller, in sentences that a model can act on. */
const failures: Readonly<Record<FsErrorCode, Failure>> = {
	ENOENT: {
		code: "not_found",
		reason: "not_found",
		sentence: (path, why) => `There is no file ${path}${why}. list_dir shows what is there.`,
	},
	EEXIST: {
		code: "conflict",
		reason: "already_exists",
		sentence: (path, why) => `${path} exists already${why}. Take another name, or ask for it to be replaced.`,
	},
	ENOTEMPTY: {
		code: "conflict",
		reason: "not_empty",
		sentence: (path, why) => `The directory ${path} is not empty${why}. Remove what is in it first.`,
	},
	EISDIR: {
		code: "invalid_arguments",
		reason: "not_a_regular_file",
		sentence: (path, why) => `${path} is a directory, and this needs a file${why}. list_dir shows what is in it.`,
	},
	ENOTDIR: {
		code: "invalid_arguments",
		reason: "not_a_directory",
		sentence: (path, why) =>
			`${path} is a file or leads through one, and this needs a directory${why}. list_dir shows which there are.`,
	},
	ELOOP: {
		code: "invalid_arguments",
		reason: "too_many_links",
		sentence: (path, why) => `The symbolic links at ${path} lead in a circle or too far${why}. Name the file itself.`,
	},
	ENAMETOOLONG: {
		code: "invalid_arguments",
		reason: "name_too_long",
		sentence: (path, why) => `The path ${shorten(path)} or a name in it is too long${why}. Take a shorter one.`,
	},
	EFBIG: {
		code: "too_large",
		reason: "file_too_large",
		sentence: (path, why) => `${path} would be larger than a file may be${why}. Write less, or several files.`,
	},
	EDQUOT: {
		code: "too_large",
		reason: "quota_exceeded",
		sentence: (path, why) => `There is no room left for ${path}${why}. Delete what is no longer needed.`,
	},
	EINVAL: {
		code: "invalid_arguments",
		reason: "invalid_operation",
		sentence: (path, why) => `This cannot be done with ${path}${why}.`,
	},
	EPERM: {
		code: "invalid_arguments",
		reason: "not_permitted",
		sentence: (path, why) => `This is not possible with ${path}, whatever is listed${why}.`,
	},
	EROFS: {
		code: "invalid_arguments",
		reason: "read_only",
		sentence: (path, why) => `${path} is read-only${why}. Write to the workspace or to /tmp.`,
	},
	EXDEV: {
		code: "invalid_arguments",
		reason: "other_tree",
		sentence: (path, why) => `${path} lies in another tree than what is moved there${why}. Copy it, then delete it.`,
	},
};

const shorten = (path: string) => (path.length > 100 ? `${path.slice(0, 100)}…` : path);
