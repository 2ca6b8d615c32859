import { expect, it } from "vitest";
import { instant } from "../../src/shared/instant";

it.each([
	["2026-11-30T08:00:00Z", "2026-11-30T08:00:00.000Z"],
	["2026-11-30T08:00:00.5+08:00", "2026-11-30T00:00:00.500Z"],
	["2026-11-30T08:00:00", "2026-11-30T08:00:00.000Z"],
	["2026-11-30", "2026-11-30T00:00:00.000Z"],
])("reads %s", (text, expected) => {
	expect(instant.parse(text).toISOString()).toBe(expected);
});

it.each(["yesterday", "1", "", "2026-02-30", "2026-11-30T25:00:00Z", null, 1_796_000_000_000])(
	"says how a time is written: %j",
	(value) => {
		expect(instant.safeParse(value).error?.issues).toMatchObject([{ message: expect.stringContaining("ISO 8601") }]);
	},
);
