import { InflateError, inflated } from "../../lib/zlib-stream";
import type { WorkspaceContext } from "../context";
import { resolveAsked, rulesOf } from "../guarded";
import { Refused } from "../refused";
import type { FileReply } from "../reply";
import type { Use, Workspace } from "../workspace";
import { type ArchiveEntry, ArchiveRefused } from "./archive-entry";
import { ByteSource } from "./byte-source";
import { inPieces } from "./in-pieces";
import type { ArchiveLimits } from "./made-paths";
import { readTar } from "./read-tar";
import { readZip } from "./read-zip";
import { blockBytes, looksLikeTar } from "./tar-header";
import { type Unpacked, Unpacking } from "./unpack";

const maxEntries = 50_000;
const maxNameChars = 16_777_216;
/** Headers and padding of an entry in a tar, on the average. */
const tarBytesPerEntry = 4_096;

/** Unpacks a tar, a tar.gz or a zip below a directory, which is made where it is missing: all of it or nothing. */
export async function importArchive(
	workspace: Workspace,
	context: WorkspaceContext,
	{ path: asked, body }: { path: string; body: AsyncIterable<Uint8Array> },
): Promise<FileReply<Unpacked>> {
	const rules = rulesOf(context);
	const limits = { maxEntries, maxNameChars, maxBytes: maxBytesOf(context) };
	const { maxFileBytes } = context.settings.files;
	return await workspace.changeWhole(context, async (use) => {
		const source = new ByteSource(body);
		try {
			const top = resolveAsked(asked, rules);
			const unpacking = new Unpacking(use, { top, rules, limits });
			const spool = `/tmp/.archive-${context.callId}`;
			return await unpacking.run(await entriesOf(source, { use, spool, maxFileBytes, limits }));
		} catch (error) {
			throw refused(error);
		} finally {
			await source.close();
		}
	});
}

const maxBytesOf = ({ target, settings }: WorkspaceContext): number =>
	target.mode === "direct" ? settings.files.maxWorkspaceBytes : settings.writeSandbox.maxBytesPerJob;

interface Reading {
	readonly use: Use;
	/** Where a zip is put aside. */
	readonly spool: string;
	readonly maxFileBytes: number;
	readonly limits: ArchiveLimits;
}

/** By its first bytes, whatever it is called. */
async function entriesOf(source: ByteSource, reading: Reading): Promise<AsyncIterable<ArchiveEntry>> {
	const start = await source.peek(blockBytes);
	if (startsWith(start, [0x50, 0x4b])) return zipEntries(source, reading);
	const { limits } = reading;
	if (!startsWith(start, [0x1f, 0x8b])) return await tarEntries(source.rest(), limits);
	// As sent too: what is compressed of nothing has no end either.
	return await tarEntries(inflated(cappedTar(source.rest(), limits), "gzip"), limits);
}

async function tarEntries(
	bytes: AsyncIterable<Uint8Array>,
	limits: ArchiveLimits,
): Promise<AsyncIterable<ArchiveEntry>> {
	const source = new ByteSource(cappedTar(bytes, limits));
	if (looksLikeTar(await source.peek(blockBytes))) return readTar(source);
	throw new ArchiveRefused("unsupported_archive", "This is no tar, tar.gz or zip, or a damaged one.");
}

/** A zip says at its end what it holds, so that it is put aside first: as a file in the `/tmp` of this call. */
async function* zipEntries(
	source: ByteSource,
	{ use: { files, read }, spool, maxFileBytes, limits }: Reading,
): AsyncGenerator<ArchiveEntry, void, void> {
	const content = files.beginContent();
	try {
		for await (const bytes of capped(source.rest(), maxFileBytes, zipTooLarge(maxFileBytes))) content.write(bytes);
		await read(() => files.place(spool, content));
	} finally {
		content.discard();
	}
	const readPart = (offset: number, length: number) => read(() => files.read(spool, { offset, length }));
	yield* readZip(inPieces({ size: content.size, read: readPart }), limits.maxEntries);
	await read(() => files.unlink(spool));
}

const zipTooLarge = (maxFileBytes: number) =>
	`A zip may have as many bytes as a file, ${maxFileBytes} (settings, files.maxFileBytes). Send a tar or tar.gz, which may have more.`;

function cappedTar(
	source: AsyncIterable<Uint8Array>,
	{ maxBytes, maxEntries }: ArchiveLimits,
): AsyncGenerator<Uint8Array, void, void> {
	const most = maxBytes + maxEntries * tarBytesPerEntry;
	return capped(source, most, `It is longer than the ${most} bytes that a tar may have here.`);
}

async function* capped(
	source: AsyncIterable<Uint8Array>,
	maxBytes: number,
	message: string,
): AsyncGenerator<Uint8Array, void, void> {
	let size = 0;
	for await (const bytes of source) {
		size += bytes.length;
		if (size > maxBytes) throw new ArchiveRefused("archive_too_large", message);
		yield bytes;
	}
}

const startsWith = (bytes: Uint8Array, magic: readonly number[]) => magic.every((byte, index) => bytes[index] === byte);

function refused(error: unknown): unknown {
	if (error instanceof InflateError) {
		return refused(new ArchiveRefused("broken_archive", `The archive cannot be decompressed: ${error.message}.`));
	}
	if (!(error instanceof ArchiveRefused)) return error;
	const { reason, message, entry } = error;
	const code = reason === "archive_too_large" ? "too_large" : "invalid_arguments";
	const paths = entry === undefined ? {} : { paths: [entry] };
	return new Refused({
		code,
		reason,
		message: `Nothing was unpacked. ${message}`,
		retryable: false,
		gate: false,
		...paths,
	});
}
