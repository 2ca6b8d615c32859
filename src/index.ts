import { app } from "./app";
import type { Env } from "./env";

export { ChannelObject } from "./durable/channel";
export { RunnerObject } from "./durable/runner";
export { SessionObject } from "./durable/session";
export { WorkspaceObject } from "./durable/workspace";

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
