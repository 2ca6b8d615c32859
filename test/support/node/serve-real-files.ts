import type { TestProject } from "vitest/node";
import { startRealFilesServer } from "./real-files-server";

declare module "vitest" {
	interface ProvidedContext {
		realFiles: string;
	}
}

/** Gives the tests that run in workerd a disk to compare with. */
export default async function serveRealFiles({ provide }: TestProject): Promise<() => Promise<void>> {
	const { url, close } = await startRealFilesServer();
	provide("realFiles", url);
	return close;
}
