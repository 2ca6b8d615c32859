import type { ChannelConfig } from "../shared/channel";
import type { ChannelTarget, Notice, Notifier } from "./notifier";
import { partsOf, titledText } from "./parts";
import { anyUrl } from "./pasted-url";
import { bodySignature } from "./signature";
import { bodyBytes, jsonBytes } from "./units";
import { failed, succeeded } from "./verdict";

const maxBodyBytes = 65_536;

/** Any receiver of JSON: `{content}`, or every field, signed over the raw body when the channel has a secret. */
export const webhook: Notifier = {
	type: "webhook",
	hosts: undefined,
	rate: { burst: 2, perMinute: 60 },
	normalise: (url) => anyUrl(url, "https://example.com/hooks/team").href,
	split(notice, config) {
		const limit = maxBodyBytes - bodyBytes(payload(config, notice, "", new Date(0)));
		const text = config.body === "full" ? notice.content : titledText(notice);
		return partsOf(text, config, { limit, measure: jsonBytes });
	},
	async request(target, part, notice, at) {
		const body = JSON.stringify(payload(target.config, notice, part, at));
		return {
			url: target.url,
			headers: {
				"Content-Type": "application/json",
				"X-Delivery-Id": headerText(notice.deliveryId),
				...(await signatureHeaders(target, body, at)),
			},
			body,
		};
	},
	/** The receiver is free in what it answers, so any 2xx is delivered. */
	verdict(status, headers, text) {
		if (status >= 200 && status < 300) return succeeded(status);
		return failed({ status, headers }, { code: `http_${status}`, message: text });
	},
};

function payload(config: ChannelConfig, notice: Notice, content: string, at: Date) {
	if (config.body !== "full") return { content };
	const { title, agent, sessionId, deliveryId } = notice;
	return { content, title, agent, session: sessionId, timestamp: at.toISOString(), deliveryId };
}

async function signatureHeaders({ secret, config }: ChannelTarget, body: string, at: Date) {
	if (!secret) return {};
	return {
		[config.signatureHeader ?? "X-Signature-256"]: await bodySignature(secret, body),
		"X-Timestamp": String(Math.floor(at.getTime() / 1000)),
	};
}

/** An id may be any text; a header holds visible ASCII. */
const headerText = (text: string) => text.replace(/[^\x21-\x7e]/g, (unit) => encodeURIComponent(unit.toWellFormed()));
