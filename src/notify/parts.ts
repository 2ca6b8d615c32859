import type { ChannelConfig } from "../shared/channel";
import { neutraliseMentions } from "./mentions";
import type { Notice } from "./notifier";
import { type SplitRules, splitText } from "./split";

interface PartRules extends SplitRules {
	/** Encodes text for the wire; `limit` holds for the outcome. */
	readonly encode?: (text: string) => string;
}

/** Cuts a text as its channel wants it: mentions disarmed unless they are allowed, escaped, each part within the limit. */
export function partsOf(text: string, config: ChannelConfig, { encode, measure, ...rules }: PartRules): string[] {
	const wellFormed = text.toWellFormed();
	const safe = config.allowMentions ? wellFormed : neutraliseMentions(wellFormed);
	if (!encode) return splitText(safe, { ...rules, measure });
	return splitText(safe, { ...rules, measure: (piece) => measure(encode(piece)) }).map(encode);
}

/** The text of a notice for a provider that has no field for a title. */
export const titledText = ({ title, content }: Notice): string => (title ? `${title}\n\n${content}` : content);
