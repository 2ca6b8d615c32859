import type { Db } from "./db/client";
import type { Deployment } from "./durable/deployment";
import type { Env } from "./env";
import type { Principal } from "./shared/principal";
import type { Snapshot } from "./shared/snapshot";

/** What the middleware in `app.ts` lays ready for a route. */
interface Variables {
	readonly requestId: string;
	readonly deployment: Deployment;
	readonly db: Db;
	/** Set by `authenticate`, as are those below: routes that need no token have none of them. */
	readonly principal: Principal;
	/** The agent whose profile applies when a call names none. */
	readonly defaultAgent: string | undefined;
	/** When the token stops being one; undefined for one that does not. */
	readonly expiresAt: Date | undefined;
	/** The configuration in force; costs a read only when its version has moved. */
	readonly loadSnapshot: () => Promise<Snapshot>;
	/** A configuration that may be old, where none has been read for this request; for work that can be done again. */
	readonly snapshotAtHand: Snapshot | undefined;
}

export interface AppEnv {
	Bindings: Env;
	Variables: Variables;
}
