import type { Command } from "just-bash/browser";
import { cmp } from "./cmp";
import { curlWords } from "./curl-words";
import { cut } from "./cut";
import { diff } from "./diff";
import { env, printenv } from "./env";
import { egrep, fgrep, grep } from "./grep";
import { head } from "./head";
import { ls } from "./ls";
import { readlink, realpath } from "./readlink";
import { awkWords, rewritten, touchWords } from "./rewritten";
import { rm } from "./rm";
import { sed } from "./sed/sed";
import { sort } from "./sort";
import { stat } from "./stat";
import { uniq } from "./uniq";
import { wc } from "./wc";
import { which } from "./which";
import { xargs } from "./xargs";

const ours: readonly Command[] = [
	cmp,
	cut,
	diff,
	egrep,
	env,
	fgrep,
	grep,
	head,
	ls,
	printenv,
	readlink,
	realpath,
	rm,
	sed,
	sort,
	stat,
	uniq,
	wc,
	which,
	xargs,
];

const rewrites: Readonly<Record<string, (args: readonly string[]) => string[]>> = {
	awk: awkWords,
	curl: curlWords,
	touch: touchWords,
};

/** Every command of this shell: just-bash's, and ours in place of those that differ from the real ones. */
export function withOurCommands(theirs: ReadonlyMap<string, Command>): Map<string, Command> {
	const commands = new Map(theirs);
	for (const command of ours) commands.set(command.name, command);
	for (const [name, rewrite] of Object.entries(rewrites)) {
		const command = theirs.get(name);
		if (command) commands.set(name, rewritten(command, rewrite));
	}
	return commands;
}
