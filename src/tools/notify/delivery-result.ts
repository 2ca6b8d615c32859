import type { DeliveryVerdict } from "../../shared/channel";
import { failure, type ToolResult } from "../../shared/tool-result";

/** What a delivery's verdict means to the model: never more than the provider has said. */
export function deliveryResult(channel: string, verdict: DeliveryVerdict): ToolResult {
	const meta = verdict.httpStatus === undefined ? undefined : { httpStatus: verdict.httpStatus };
	const said = providerWords(verdict);
	switch (verdict.status) {
		case "delivered": {
			const parts = verdict.partsTotal > 1 ? ` in ${verdict.partsTotal} parts` : "";
			return { success: true, content: `Delivered to ${channel}${parts}${said}.`, ...(meta && { meta }) };
		}
		case "queued":
			return {
				success: true,
				content: `Queued for ${channel}: it waits for the channel's rate limit and is sent by itself. Do not send it again.`,
			};
		case "unknown": {
			const message = `Whether ${channel} received the message is unknown: it was sent and no answer came${said}. Do not send it again blindly; ask someone who can see the channel.`;
			return failure("outcome_unknown", message, { ...(meta && { meta }) });
		}
		case "failed": {
			const partly =
				verdict.partsDelivered > 0
					? ` ${verdict.partsDelivered} of ${verdict.partsTotal} parts did arrive; sending all of it again would repeat them.`
					: "";
			const message = `The message to ${channel} was not delivered${said}.${partly}`;
			return failure("delivery_failed", message, { retryable: verdict.permanent !== true, ...(meta && { meta }) });
		}
	}
}

/** ` (HTTP 200, code 19024: Key Words Not Found)`, or nothing when the provider said nothing. */
function providerWords({ httpStatus, providerCode, providerMessage }: DeliveryVerdict): string {
	const code = [httpStatus === undefined ? "" : `HTTP ${httpStatus}`, providerCode ? `code ${providerCode}` : ""]
		.filter(Boolean)
		.join(", ");
	const words = [code, providerMessage?.trim() ?? ""].filter(Boolean).join(": ");
	return words ? ` (${words})` : "";
}
