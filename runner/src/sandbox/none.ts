import type { Backend } from "./backend";
import type { Host } from "./host";
import { confine, insideOf, ownTasks, superviseProgram } from "./launcher-options";
import { plainUnsupportedLimits, startPlainly } from "./start-plainly";

/** Limits, a clean environment and an end for all that was started; nothing is out of reach. Only by an operator's choice. */
export function none(host: Host): Backend {
	return {
		name: "none",
		layers: [],
		hasMounts: false,
		unsupportedLimits: host.launcher ? [] : plainUnsupportedLimits(host),
		egressProblem: "Without a sandbox nothing holds a program to a proxy.",
		wrap(command, place, limits) {
			const cwd = insideOf(place, place.folder);
			if (host.launcher) {
				const how = { cwd, files: undefined, otherTasks: ownTasks(place), sharesNetwork: false, seesSockets: false };
				const options = confine({ ...host, hasSeccomp: false }, command, place, limits, how);
				return superviseProgram(host, command, place, options);
			}
			return startPlainly(command, place, limits, ["/usr/bin/env", "--chdir", cwd]);
		},
	};
}
