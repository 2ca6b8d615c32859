import * as z from "zod";

/** Stands in `${NAME}`, so it is written as an environment variable is. */
export const secretName = z
	.string()
	.regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "Use 1 to 128 letters, digits and '_', not starting with a digit.");

export const newSecret = z.strictObject({
	value: z.string().min(1, "Send the value; to remove a secret, delete it.").max(32_768),
});

/** Write-only: a secret is told apart by its last four characters, and no more of it is ever shown. */
export const secretView = z.object({
	name: z.string(),
	configured: z.literal(true),
	hint: z.string().describe("The last four characters of a value of at least 16; else empty."),
	createdAt: z.date(),
	updatedAt: z.date(),
});
