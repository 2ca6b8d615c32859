/** Keeps a word readable and stops every provider from taking it for a mention. */
const invisible = "\u200b";

const everyone = /@(?=(?:all|everyone|here|channel)(?!\w)|所有人|全体成员)/gi;
const tags = /<(?=\/?at\b|@|!(?:channel|here|everyone|subteam)\b)/gi;

/** Disarms `@all`, `@everyone`, `<at …>`, `<@id>`, `<!channel>` and their like, wherever they stand. */
export const neutraliseMentions = (text: string): string =>
	text.replace(everyone, `@${invisible}`).replace(tags, `<${invisible}`);

/** Whether a text calls everyone, where the channel lets it. */
export const mentionsEveryone = (text: string): boolean => /@(?:all(?!\w)|所有人)/i.test(text);

/** The first fifty mobile numbers that a text mentions as `@13800000000`. */
export const mentionedMobiles = (text: string): string[] =>
	Array.from(text.matchAll(/@(1\d{10})(?!\d)/g), ([, mobile = ""]) => mobile).slice(0, 50);
