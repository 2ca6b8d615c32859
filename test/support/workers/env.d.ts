declare namespace Cloudflare {
	interface Env extends import("../../../src/env").Env {
		readonly TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
	}
	interface GlobalProps {
		mainModule: typeof import("../../../src/index");
		durableNamespaces: "SessionObject" | "ChannelObject";
	}
}
