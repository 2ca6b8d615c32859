import { createHash } from "node:crypto";
import { packTar, unpackTar } from "modern-tar";

/** Files by their path, with what is in them. */
export type FileMap = Map<string, Uint8Array>;

/** So many bytes that are like no others but those of the same seed. */
export const bytesOf = (seed: string, length: number): Uint8Array =>
	createHash("shake256", { outputLength: length }).update(seed).digest();

export const tarOf = (files: FileMap): Promise<Uint8Array> =>
	packTar(Array.from(files, ([name, body]) => ({ header: { name, size: body.length, type: "file" as const }, body })));

export async function filesIn(tar: Uint8Array): Promise<FileMap> {
	const entries = await unpackTar(tar);
	return new Map(
		entries.flatMap(({ header: { name, type }, data }) => (type === "file" ? [[name, data ?? new Uint8Array()]] : [])),
	);
}

/** The paths at which one has not what the other has. */
export function differingPaths(one: FileMap, other: FileMap): string[] {
	const paths = new Set([...one.keys(), ...other.keys()]);
	return [...paths].filter((path) => !areEqual(one.get(path), other.get(path))).sort();
}

const areEqual = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
	one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;
