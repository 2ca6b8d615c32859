import { chmod, chown, lchown, lstat, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Place } from "../sandbox/sandbox";

/** Whoever owns a folder below needs to get to it, and to see nothing on the way. */
const passageMode = 0o711;
/** What one server keeps is no other's business. */
const ownMode = 0o700;

/**
 * The folders of a server: a home that lasts as long as its id is hosted, with the caches of npx and uvx in it, and a
 * temporary folder that is empty at each start.
 */
export async function preparePlace(root: string, id: string, uid: number | undefined): Promise<Place> {
	const top = path.join(root, id);
	const folder = path.join(top, "home");
	const temporary = path.join(top, "tmp");
	await mkdir(top, { recursive: true });
	for (const passage of [root, top]) await chmod(passage, passageMode);
	await rm(temporary, { recursive: true, force: true });
	for (const own of [folder, temporary]) await mkdir(own, { recursive: true, mode: ownMode });
	if (uid !== undefined) {
		if ((await lstat(folder)).uid !== uid) await giveTo(folder, uid);
		await chown(temporary, uid, uid);
	}
	return { folder, temporary, cwd: "", protectedPaths: [], uid, network: true };
}

export const removePlace = (root: string, id: string): Promise<void> =>
	rm(path.join(root, id), { recursive: true, force: true });

/** Links are given, not followed. */
async function giveTo(top: string, uid: number): Promise<void> {
	const entries = await readdir(top, { recursive: true, withFileTypes: true });
	for (const entry of entries) await lchown(path.join(entry.parentPath, entry.name), uid, uid);
	await lchown(top, uid, uid);
}
