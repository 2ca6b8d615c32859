import type { Replacer } from "./redact-known";

const redacted = "[redacted]";

/** Keys that go on in letters and digits only, so that `npm_config_registry` is none of them. */
const plainKeys = /\b((?:sk|rk|pk)_(?:live|test)_|gsk_|hf_|r8_|gh[pousr]_|npm_|AKIA|ASIA)[A-Za-z0-9]{16,}/g;
const freeKeys = /\b(sk-|xai-|xox[abeprs]-|xapp-|glpat-|github_pat_|AIza|SG\.|pypi-|whsec_|oryx_)[\w.+/-]{16,}=*/g;

/** Printable ASCII without `/ ? # [ ]`, and without `& # quotes < > [ ]`: a marker already set is left alone. */
const userinfo = '[!-"$-.0->@-Z\\\\^-~]+';
const queryValue = "[!$%(-;=?-Z\\\\^-~]+";
const secretName =
	"(?:[\\w.-]*(?:token|secret|password|passwd|signature|credential|api[_-]?key)|key|sig|sign|auth|pwd)";

/** What looks like a secret though nobody told us of it. Each keeps the part that helps a reader. */
const rules: readonly (readonly [pattern: RegExp, replacement: string])[] = [
	// `git@` is a name that everybody has.
	[new RegExp(`://(?!git@)${userinfo}@`, "g"), `://${redacted}@`],
	[new RegExp(`([?&]${secretName}=)${queryValue}`, "gi"), `$1${redacted}`],
	// A digit, an equals sign, an inner capital or length tells a credential from prose such as "bearer authentication".
	[
		/\b([Bb]earer|BEARER|[Bb]asic|BASIC)(\s+)(?:(?=[\w.~+/-]*(?:[\d=]|[a-z][A-Z]))[\w.~+/-]{8,}|[\w.~+/-]{24,})=*/g,
		`$1$2${redacted}`,
	],
	// A JWT. Looking once ahead of each run of its letters for the dot keeps a text full of beginnings from costing their square.
	[/(?<![\w-])(?=[\w-]+\.[\w-]{8})([\w-]*?)\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, `$1${redacted}`],
	// Feishu and Lark, Slack, Discord, Telegram. WeCom, DingTalk and Pushover carry theirs in the query or body.
	[/(\/open-apis\/bot\/(?:v2\/)?hook\/)[\w-]+/g, `$1${redacted}`],
	[/(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]+/g, `$1${redacted}`],
	[/(\/api(?:\/v\d+)?\/webhooks\/\d+\/)[\w-]+/g, `$1${redacted}`],
	[/(\/bot\d+)(?::|%3A)[\w-]{20,}/gi, `$1:${redacted}`],
	[plainKeys, `$1${redacted}`],
	[freeKeys, `$1${redacted}`],
];

/** Blanks what has the shape of a secret: userinfo and keys in URLs, webhook paths, bearer values, vendors' key formats. */
export const secretPatterns: Replacer = {
	replace(text) {
		let result = text;
		for (const [pattern, replacement] of rules) result = result.replace(pattern, replacement);
		return result;
	},
	take(text) {
		const cut = openTail(text);
		return { done: secretPatterns.replace(text.slice(0, cut)), rest: text.slice(cut) };
	},
};

/** A tail longer than this is no longer waited for. */
const maxOpenLength = 4096;

/** Where the last word begins, or the one before it if that announces a credential, and so on; no rule looks further back. */
function openTail(text: string): number {
	let start = wordStart(text, text.length);
	while (text.length - start <= maxOpenLength) {
		const announced = /\b(?:Bearer|Basic)\s+$/i.exec(text.slice(Math.max(0, start - 64), start));
		if (!announced) return start;
		start = wordStart(text, start - announced[0].length);
	}
	return text.length;
}

function wordStart(text: string, end: number): number {
	let start = end;
	while (start > 0 && isWordUnit(text.charCodeAt(start - 1))) start--;
	return start;
}

/** Printable ASCII, of which alone every rule's matches are made. */
const isWordUnit = (unit: number) => unit > 0x20 && unit < 0x7f;
