import { builtins } from "../tools";
import { createRegistry } from "../tools/registry";

/** Made once per isolate: the built-ins do not change with the configuration. */
export const registry = createRegistry(builtins);
