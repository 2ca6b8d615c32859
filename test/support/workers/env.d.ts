import type { D1Migration } from "cloudflare:test";
import type { Env as Bindings } from "../../../src/env";

declare global {
	namespace Cloudflare {
		interface Env extends Bindings {
			readonly TEST_MIGRATIONS: D1Migration[];
		}
		interface GlobalProps {
			mainModule: typeof import("../../../src/index");
			durableNamespaces: "SessionObject" | "ChannelObject" | "WorkspaceObject";
		}
	}
}

declare module "vitest" {
	interface ProvidedContext {
		/** Where Node's own file system answers; see serve-real-files.ts. */
		realFiles: string;
	}
}
