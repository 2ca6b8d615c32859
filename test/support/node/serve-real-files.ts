import type { TestProject } from "vitest/node";
import { startRealFilesServer } from "./real-files-server";

declare module "vitest" {
	interface ProvidedContext {
		realFiles: string;
	}
}

let close: (() => Promise<void>) | undefined;

/** Gives the tests that run in workerd a disk to compare with. */
export async function setup({ provide }: TestProject): Promise<void> {
	const server = await startRealFilesServer();
	close = server.close;
	provide("realFiles", server.url);
}

export const teardown = (): Promise<void> | undefined => close?.();
