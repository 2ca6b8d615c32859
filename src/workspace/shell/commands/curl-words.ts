/** Options of just-bash's curl whose value is the next word. */
const valued: ReadonlySet<string> = new Set([
	..."-X -H -d -F -u -A -e -b -c -T -m -o -w".split(" "),
	..."--request --header --data --data-raw --data-binary --data-urlencode --form --user --user-agent --referer".split(
		" ",
	),
	..."--cookie --cookie-jar --upload-file --max-time --connect-timeout --output --max-redirs --write-out".split(" "),
]);
/** A `-L` among letters that have no value. */
const location = /^(--location|-[sSfIiOvG]*L[sSfLIiOvG]*)$/;

/** curl's words with what just-bash's takes for granted written out: without `-L` a redirect is not followed. */
export function curlWords(args: readonly string[]): string[] {
	const follows = args.some((word, index) => location.test(word) && !valued.has(args[index - 1] ?? ""));
	return follows ? [...args] : [...args, "--max-redirs", "0"];
}
