import type { Removed } from "../../workspace/operations/remove";

export const showRemoved = ({ path, kind }: Removed): string => `Deleted the ${kind} ${path}.`;
