import { describe, expect, it } from "vitest";
import { FsError, type FsErrorCode } from "../../src/workspace/fs-error";
import { FileRefused } from "../../src/workspace/guarded";
import { JobRefused } from "../../src/workspace/jobs";
import { refusalOf } from "../../src/workspace/refusal";

describe("refusalOf", () => {
	it.each<[FsErrorCode, string, string, boolean]>([
		["ENOENT", "not_found", "not_found", true],
		["EEXIST", "conflict", "already_exists", true],
		["ENOTEMPTY", "conflict", "not_empty", true],
		["EISDIR", "invalid_arguments", "not_a_regular_file", true],
		["ENOTDIR", "invalid_arguments", "not_a_directory", true],
		["ELOOP", "invalid_arguments", "too_many_links", true],
		["ENAMETOOLONG", "invalid_arguments", "name_too_long", true],
		["EINVAL", "invalid_arguments", "invalid_operation", true],
		["EPERM", "invalid_arguments", "not_permitted", true],
		["EROFS", "invalid_arguments", "read_only", true],
		["EXDEV", "invalid_arguments", "other_tree", true],
		["EFBIG", "too_large", "file_too_large", false],
		["EDQUOT", "too_large", "quota_exceeded", false],
	])("makes of %s: %s, %s", (posix, code, reason, retryable) => {
		const refusal = refusalOf(new FsError(posix, "/workspace/a.txt", "9 of 10 bytes"));
		expect(refusal).toMatchObject({ code, reason, retryable, gate: false });
		expect(refusal?.message).toMatch(/^(\/workspace|[A-Z])/);
		expect(refusal?.message).toMatch(/\/workspace\/a\.txt.* \(9 of 10 bytes\).*\.$/);
	});

	it("speaks in sentences", () => {
		expect(refusalOf(new FsError("ENOENT", "/workspace/a.txt"))?.message).toBe(
			"There is no file /workspace/a.txt. list_dir shows what is there.",
		);
	});

	it("shows no more of a name that is too long than its beginning", () => {
		expect(refusalOf(new FsError("ENAMETOOLONG", `/${"a".repeat(4_000)}`))?.message.length).toBeLessThan(250);
	});

	it("says that a rule has refused, except where no file system could hold the name", () => {
		expect(refusalOf(new FileRefused({ reason: "outside_root", message: "No." }))).toEqual({
			code: "not_listed",
			reason: "outside_root",
			message: "No.",
			retryable: false,
			gate: true,
		});
		expect(refusalOf(new FileRefused({ reason: "name_too_long", message: "No." }))).toMatchObject({
			code: "invalid_arguments",
			gate: false,
		});
	});

	it("passes on what a job refuses, with the paths that stand in the way", () => {
		const conflict = { code: "conflict", reason: "commit_conflict", message: "No.", paths: ["/workspace/a"] } as const;
		expect(refusalOf(new JobRefused(conflict))).toEqual({ ...conflict, retryable: false, gate: false });
		const missing = { code: "not_found", reason: "job_missing", message: "No." } as const;
		expect(refusalOf(new JobRefused(missing))).toEqual({ ...missing, retryable: false, gate: false });
	});

	it.each([new Error("x"), new TypeError("x"), "ENOENT", undefined, { code: "ENOENT" }])(
		"leaves %j to others",
		(error) => {
			expect(refusalOf(error)).toBeUndefined();
		},
	);
});
