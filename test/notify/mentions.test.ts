import { expect, it } from "vitest";
import { mentionedMobiles, mentionsEveryone, neutraliseMentions } from "../../src/notify/mentions";

it.each([
	"@all",
	"@ALL now",
	"hey@everyone",
	"@here.",
	"@channel",
	"@所有人请注意",
	"@all请注意",
	'<at user_id="all">all</at>',
	"<at id=all></at>",
	"<AT user_id='ou_1'>x</AT>",
	"<!channel>",
	"<!here|here>",
	"<!subteam^S1>",
	"<@U123ABC>",
	"<@userid>",
	"<@&42>",
])("disarms %s, and leaves it readable", (text) => {
	const safe = neutraliseMentions(text);
	expect(safe).not.toBe(text);
	expect(safe).not.toMatch(/@(?:all|everyone|here|channel|所有人)|<(?:\/?at|@|!)/i);
	expect(safe.replaceAll("\u200b", "")).toBe(text);
});

it.each(["ann@example.com", "@alliance", "a < b && c", "<!-- note -->", "<attr>", "@everyoneelse"])(
	"leaves %s alone",
	(text) => {
		expect(neutraliseMentions(text)).toBe(text);
	},
);

it("reads mobile numbers and calls to everyone", () => {
	expect(mentionedMobiles("@13800000001 @13900000002, @139000000021 @2")).toEqual(["13800000001", "13900000002"]);
	expect(mentionedMobiles("@13800000001 ".repeat(80))).toHaveLength(50);
	expect(["@all", "@所有人", "@allow", "all"].map(mentionsEveryone)).toEqual([true, true, false, false]);
});
