import { Hono } from "hono";
import * as z from "zod";
import { byteStream } from "../../../src/lib/byte-stream";
import { lengthPrefixed } from "../../../src/lib/length-prefixed";
import { chunkHash } from "../../../src/shared/runner-mirrors";
import type { Mirrors } from "../mirrors/mirrors";
import { refuse } from "../refusal";

const readRequest = z.strictObject({ revision: z.string(), hashes: z.array(chunkHash).max(1_000_000) });

/** Chunks of files, on their way to and from a mirror. */
export const mirrorRoutes = ({ mirrors }: { mirrors: Mirrors }) =>
	new Hono()
		.put("/:id/chunks", async (c) => {
			using held = await mirrors.take(c.req.param("id"), c.req.raw.signal);
			if (c.req.raw.body) await held.mirror.keep(c.req.raw.body);
			return c.body(null, 204);
		})
		.post("/:id/chunks/read", async (c) => {
			const parsed = readRequest.safeParse(await c.req.json());
			if (!parsed.success) throw refuse("invalid_input", "The body names a revision and hashes of chunks.");
			const { revision, hashes } = parsed.data;
			const chunks = mirrors.find(c.req.param("id"))?.read(revision, hashes);
			if (!chunks) throw refuse("conflict", "The runner does not have these files; run the program again.");
			return c.body(byteStream(prefixed(chunks)));
		});

async function* prefixed(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	for await (const chunk of chunks) yield lengthPrefixed(chunk);
}
