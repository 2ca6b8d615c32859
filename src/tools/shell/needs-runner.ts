import type { Surroundings } from "../tool";

/** Why a tool that runs a real program cannot serve, or undefined where there is a runner. */
export const needsRunner = ({ runner }: Surroundings): string | undefined =>
	runner
		? undefined
		: "This needs the runner, and none is connected: `npm start` starts one; a deployment binds its container, or names one by ORYX_RUNNER_URL and ORYX_RUNNER_TOKEN.";
