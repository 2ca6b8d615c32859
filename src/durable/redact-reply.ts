import type { Redactor } from "../lib/redact";
import { redactValues } from "../lib/redact-values";
import type { ModelReply } from "../llm/provider";

/**
 * An answer as it may be stored, shown and acted on. No model is ever told a secret, so one that stands in a call, a name or
 * anywhere else was thrown back by whoever got it: it is taken out before a tool could carry it on. Of the text,
 * what has the shape of a secret goes, too; arguments keep theirs, since tools need them.
 */
export const redactReply = (reply: ModelReply, { redact, redactKnown }: Redactor): ModelReply => ({
	...redactValues(reply, redactKnown),
	content: redact(reply.content),
});
