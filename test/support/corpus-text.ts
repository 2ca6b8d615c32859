import * as z from "zod";

const repeated = z
	.object({ $repeat: z.tuple([z.string(), z.number()]), $suffix: z.string().default("") })
	.transform(({ $repeat: [text, count], $suffix }) => text.repeat(count) + $suffix);

/** A text of the hostile corpus, said in short where it is long. */
export const corpusText = z.union([z.string(), repeated]);
