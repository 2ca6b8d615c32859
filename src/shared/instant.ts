import * as z from "zod";

/** A time as it is sent: ISO 8601, UTC where no zone is named, the start of the day where no time is. */
export const instant = z
	.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
		error: "Write a time in ISO 8601, such as 2026-11-30T08:00:00Z.",
	})
	.transform((text) => new Date(/T.*(?:Z|[+-]\d\d:?\d\d)$|^[^T]+$/.test(text) ? text : `${text}Z`));
