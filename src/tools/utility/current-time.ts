import * as z from "zod";
import { failure } from "../../shared/tool-result";
import { optional } from "../lenient";
import { defineTool } from "../tool";

export const currentTime = defineTool({
	name: "current_time",
	group: "utility",
	description:
		"Tell the date and time of now in a time zone, as `yyyy-MM-dd HH:mm:ss XXX` (2026-11-30 21:05:09 +08:00; Z is UTC).",
	input: z.object({
		timezone: optional(z.string()).describe("IANA time zone, such as Asia/Shanghai. UTC when absent."),
	}),
	effects: "read",
	idempotent: true,
	touches: () => [],
	async execute({ now }, { timezone }) {
		const zone = timezone?.trim() || "UTC";
		const format = formatIn(zone);
		if (format) return { success: true, content: format(now()) };
		const message = `There is no time zone ${JSON.stringify(zone.slice(0, 64))}. Use an IANA name, such as Asia/Shanghai, Europe/Berlin or UTC.`;
		return failure("invalid_arguments", message, { retryable: true });
	},
});

/** Undefined for a zone that the platform does not know. */
function formatIn(timeZone: string): ((at: Date) => string) | undefined {
	const parts = formatterIn(timeZone);
	if (!parts) return undefined;
	return (at) => {
		const part = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]));
		const offset = part.timeZoneName?.slice("GMT".length) ?? "";
		const shown = offset === "" || offset === "+00:00" ? "Z" : offset;
		return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second} ${shown}`;
	};
}

function formatterIn(timeZone: string): Intl.DateTimeFormat | undefined {
	try {
		return new Intl.DateTimeFormat("en", {
			timeZone,
			calendar: "gregory",
			numberingSystem: "latn",
			hourCycle: "h23",
			year: "numeric",
			month: "2-digit",
			day: "2-digit",
			hour: "2-digit",
			minute: "2-digit",
			second: "2-digit",
			timeZoneName: "longOffset",
		});
	} catch {
		return undefined;
	}
}
