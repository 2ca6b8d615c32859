import { counted } from "../../lib/counted";
import type { WrittenText } from "../../workspace/operations/write-text";

export const showWritten = ({ path, created, size }: WrittenText): string =>
	`${created ? "Created" : "Overwrote"} ${path}: ${counted(size, "byte")}.`;
