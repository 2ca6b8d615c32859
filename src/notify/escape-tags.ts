/** Escapes the three characters that open markup, as Slack and Feishu ask for. */
export const escapeTags = (text: string): string =>
	text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
