import * as z from "zod";
import type { DeliveryVerdict } from "../../shared/channel";
import { failure, type ToolResult } from "../../shared/tool-result";
import { optional } from "../lenient";
import { type Channels, defineTool } from "../tool";
import { deliveryResult } from "./delivery-result";

const maxContentChars = 100_000;

export const notify = defineTool({
	name: "notify",
	group: "notify",
	description: `
		Send a message to a group of people through one of the registered channels. A long text is sent in parts.
		Answers what the channel's provider said; only "Delivered" means that it has arrived.`,
	input: z.object({
		content: z.string().min(1).max(maxContentChars).describe("The message, as text or Markdown."),
		channel: optional(z.string().max(128)).describe(
			"Name of the channel. Absent means the default one, or the only one there is.",
		),
		title: optional(z.string().max(250)).describe("Heading of the message."),
	}),
	effects: "external",
	idempotent: true,
	describe: ({ channels }) =>
		channels.length > 0 ? `Channels: ${channels.join(", ")}.` : "No channel is registered yet.",
	touches: ({ channel }) => [{ channel: channel?.trim() || "default" }],
	async execute({ channels, callId }, { content, channel: wanted, title }) {
		if (!content.trim())
			return failure("invalid_arguments", "The content is blank, so nothing was sent.", { retryable: true });
		const resolved = resolveChannel(channels, wanted?.trim() ?? "");
		if (!resolved.ok) return resolved.result;
		const notice = { content, ...(title?.trim() && { title: title.trim() }) };
		const verdict: DeliveryVerdict = await channels.deliver(resolved.name, notice, callId);
		return deliveryResult(resolved.name, verdict);
	},
});

type Resolved = { ok: true; name: string } | { ok: false; result: ToolResult };

/** A name means that channel and no other: a message never falls back to people it was not meant for. */
function resolveChannel(channels: Channels, wanted: string): Resolved {
	const names = channels.names();
	if (names.includes(wanted)) return { ok: true, name: wanted };
	if (names.length === 0) {
		return refuse("There is no notify channel. An administrator creates one with POST /api/v1/notify-channels.");
	}
	const listed = `There are ${names.join(", ")}.`;
	if (wanted !== "" && wanted !== "default")
		return refuse(`There is no notify channel ${JSON.stringify(wanted)}. ${listed}`);
	const name = channels.defaultName();
	if (name !== undefined) return { ok: true, name };
	const message = `Say which channel is meant: several exist and none is the default. ${listed}`;
	return { ok: false, result: failure("invalid_arguments", message, { retryable: true }) };
}

const refuse = (message: string): Resolved => ({ ok: false, result: failure("not_found", message) });
