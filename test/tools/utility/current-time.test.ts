import { expect, it } from "vitest";
import { currentTime } from "../../../src/tools/utility/current-time";
import { callIn, toolWorld } from "../../support/tool-context";

const world = toolWorld({ now: new Date("2026-11-30T13:05:09.500Z") });

it.each([
	[{ timezone: "Asia/Shanghai" }, "2026-11-30 21:05:09 +08:00"],
	[{ timezone: "Asia/Kolkata" }, "2026-11-30 18:35:09 +05:30"],
	[{ timezone: "America/New_York" }, "2026-11-30 08:05:09 -05:00"],
	[{ timezone: " asia/tokyo " }, "2026-11-30 22:05:09 +09:00"],
	[{ timezone: "UTC" }, "2026-11-30 13:05:09 Z"],
	[{ timezone: "" }, "2026-11-30 13:05:09 Z"],
	[{ timezone: null }, "2026-11-30 13:05:09 Z"],
	[{}, "2026-11-30 13:05:09 Z"],
	[{ timezone: "Europe/Berlin", format: "unasked" }, "2026-11-30 14:05:09 +01:00"],
])("answers the time for %j", async (args, content) => {
	expect(await callIn(world, currentTime, args)).toEqual({ success: true, content });
});

it("writes midnight as 00 and short numbers with a zero", async () => {
	const atMidnight = toolWorld({ now: new Date("2026-01-02T00:00:03Z") });
	expect(await callIn(atMidnight, currentTime, {})).toMatchObject({ content: "2026-01-02 00:00:03 Z" });
});

it("names a zone to use in place of one that does not exist", async () => {
	const result = await callIn(world, currentTime, { timezone: "Mars/Olympus" });
	expect(result).toMatchObject({ success: false, code: "invalid_arguments", retryable: true });
	expect(result).toHaveProperty("errorMessage", expect.stringMatching(/"Mars\/Olympus".*Asia\/Shanghai/));
});
