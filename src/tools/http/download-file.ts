import * as z from "zod";
import type { GatedStream } from "../../gates/gated-fetch";
import { counted } from "../../lib/counted";
import { stripControl, truncateChars } from "../../lib/text";
import { failure, type ToolResult } from "../../shared/tool-result";
import { pathArgument } from "../files/arguments";
import { fileResult } from "../files/file-result";
import { defineTool, type ToolContext } from "../tool";
import { orFetchFailure } from "./fetch-failure";
import { isPassingStatus, reasonFor } from "./show-response";

export const downloadFile = defineTool({
	name: "download_file",
	group: "http",
	description: `
		Download a URL into a file of the workspace, whatever it holds. The file is there whole or not at all; one at the path
		is replaced, missing directories above it are made. The host must be on the HTTP list. Answers size and content type.`,
	input: z.object({
		url: z.string().min(1).max(8_000).describe("The whole URL, https://…"),
		path: pathArgument("The file to write"),
	}),
	effects: "write",
	idempotent: true,
	usesFiles: true,
	touches: ({ url, path }) => [
		{ url, method: "GET", list: "http" },
		{ file: path, mode: "write" },
	],
	execute: ({ download, files, settings }, { url, path }) =>
		orFetchFailure("GET", () =>
			download(url, { list: "http", maxBytes: settings.files.maxFileBytes }, (response) =>
				store(files, path, response),
			),
		),
});

async function store(files: ToolContext["files"], path: string, response: GatedStream): Promise<ToolResult> {
	const { url, status, headers, body } = response;
	const from = truncateChars(url, 500);
	const meta = { httpStatus: status };
	if (status < 200 || status > 299) {
		await body.cancel();
		const message = `${from} answered HTTP ${status}${reasonFor(status)}, so nothing was stored.`;
		return failure("upstream", message, { retryable: isPassingStatus(status), meta });
	}
	const type = truncateChars(stripControl(headers.get("content-type") ?? "no content type"), 200);
	const stored = fileResult(
		await files.store(path, body),
		({ path, size }) => `Stored ${from} as ${path}: ${counted(size, "byte")}, ${type}.`,
	);
	return { ...stored, meta: { ...stored.meta, ...meta } };
}
