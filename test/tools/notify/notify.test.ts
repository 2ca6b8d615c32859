import { describe, expect, it } from "vitest";
import { notify } from "../../../src/tools/notify/notify";
import { callIn, toolWorld } from "../../support/tool-context";

describe("which channel", () => {
	it.each([
		["the only one when none is named", { channels: ["ops"] }, {}, "ops"],
		["the only one for a blank name", { channels: ["ops"] }, { channel: " " }, "ops"],
		["the only one for null", { channels: ["ops"] }, { channel: null }, "ops"],
		[
			"the default one of several",
			{ channels: ["ops", "运维群"], defaultChannel: "运维群" },
			{ channel: "default" },
			"运维群",
		],
		["the named one", { channels: ["ops", "运维群"], defaultChannel: "ops" }, { channel: " 运维群 " }, "运维群"],
		[
			"a channel that is really named default",
			{ channels: ["default", "ops"], defaultChannel: "ops" },
			{ channel: "default" },
			"default",
		],
	])("is %s", async (_, over, args, channel) => {
		const world = toolWorld(over);
		const result = await callIn(world, notify, { content: "Hello", title: " Title ", ...args });
		expect(result).toEqual({ success: true, content: `Delivered to ${channel}.` });
		expect(world.deliveries).toEqual([{ channel, notice: { content: "Hello", title: "Title" }, deliveryId: "call-1" }]);
	});

	it.each([
		[
			"an unknown name, without falling back",
			{ channels: ["ops", "dev"], defaultChannel: "ops" },
			{ channel: "opps" },
			"not_found",
			"There are ops, dev.",
		],
		["a name in another letter case", { channels: ["ops"] }, { channel: "OPS" }, "not_found", "There are ops."],
		["any name when there is no channel", {}, { channel: "ops" }, "not_found", "POST /api/v1/notify-channels"],
		["no name when there is no channel", {}, {}, "not_found", "POST /api/v1/notify-channels"],
		[
			"no name among several without a default",
			{ channels: ["ops", "dev"] },
			{},
			"invalid_arguments",
			"There are ops, dev.",
		],
		["a blank message", { channels: ["ops"] }, { content: " \n" }, "invalid_arguments", "blank"],
	])("refuses %s", async (_, over, args, code, message) => {
		const world = toolWorld(over);
		const result = await callIn(world, notify, { content: "Hello", ...args });
		expect(result).toMatchObject({ success: false, code, retryable: code === "invalid_arguments" });
		expect(result).toHaveProperty("errorMessage", expect.stringContaining(message));
		expect(world.deliveries).toEqual([]);
	});

	it("is told to the model by name", () => {
		const around = { settings: toolWorld().ctx.settings, runner: false, commands: [] };
		expect(notify.describe?.({ ...around, channels: ["ops", "运维群"] })).toBe("Channels: ops, 运维群.");
		expect(notify.describe?.({ ...around, channels: [] })).toBe("No channel is registered yet.");
	});
});

describe("what the provider said", () => {
	const send = async (verdict: object) =>
		await callIn(toolWorld({ channels: ["ops"], verdict }), notify, { content: "Hello" });

	it("is a success only when it was delivered", async () => {
		expect(await send({ httpStatus: 200, providerCode: "0", partsTotal: 3, partsDelivered: 3 })).toEqual({
			success: true,
			content: "Delivered to ops in 3 parts (HTTP 200, code 0).",
			meta: { httpStatus: 200 },
		});
	});

	it("is a failure that trying again may mend", async () => {
		const verdict = {
			ok: false,
			status: "failed",
			httpStatus: 200,
			providerCode: "11232",
			providerMessage: "too many requests",
		};
		expect(await send({ ...verdict, partsDelivered: 0 })).toEqual({
			success: false,
			code: "delivery_failed",
			errorMessage: "The message to ops was not delivered (HTTP 200, code 11232: too many requests).",
			retryable: true,
			meta: { httpStatus: 200 },
		});
	});

	it("is a failure for good, with the parts that did arrive", async () => {
		const verdict = {
			ok: false,
			status: "failed",
			permanent: true,
			providerCode: "19024",
			partsDelivered: 1,
			partsTotal: 3,
		};
		expect(await send(verdict)).toMatchObject({
			code: "delivery_failed",
			errorMessage: expect.stringMatching(/code 19024\)\. 1 of 3 parts did arrive/),
			retryable: false,
		});
	});

	it("may still be to come", async () => {
		expect(await send({ ok: false, status: "queued", partsDelivered: 0 })).toMatchObject({
			success: true,
			content: expect.stringMatching(/rate limit.*Do not send it again/),
		});
	});

	it("is unknown when no answer came, and not to be repeated blindly", async () => {
		expect(await send({ ok: false, status: "unknown", partsDelivered: 0 })).toMatchObject({
			success: false,
			code: "outcome_unknown",
			errorMessage: expect.stringMatching(/unknown.*Do not send it again blindly/),
			retryable: false,
		});
	});
});
