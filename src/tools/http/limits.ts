import type { SettingsDocument } from "../../shared/settings";

const maxTimeoutSeconds = 30;

/** Bytes and time of one request of the HTTP tools; a call may ask for less time, never for more. */
export function requestLimits(
	{ http }: SettingsDocument,
	askedSeconds = maxTimeoutSeconds,
): { maxBytes: number; timeoutMs: number } {
	return {
		maxBytes: http.maxResponseBytes,
		timeoutMs: Math.min(askedSeconds, http.timeoutSeconds, maxTimeoutSeconds) * 1_000,
	};
}
