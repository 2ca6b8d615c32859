import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startConfined } from "../../../runner/src/programs/confined-child";
import { openSandbox } from "../../../runner/src/sandbox/sandbox";
import { buildLauncher } from "../../../scripts/build-launcher";
import { type Hosting, openHosting } from "./hosting";

/** A sandbox shows what the system has installed, and no Node that somebody put elsewhere. */
const hasSystemNode = ["/usr/bin/node", "/usr/local/bin/node"].some((file) => existsSync(file));

/** Hosting in the strongest sandbox that this machine has and that can run Node; `home` is where a server finds its own folder. */
export async function openSandboxedHosting(): Promise<{ hosting: Hosting; home(id: string): string }> {
	const stateFolder = mkdtempSync(path.join(tmpdir(), "oryx-sandbox-"));
	chmodSync(stateFolder, 0o711);
	const built = buildLauncher();
	const launcher = "path" in built ? { launcher: built.path } : {};
	const sandbox = await openSandbox({
		wanted: hasSystemNode ? "auto" : "none",
		required: false,
		stateFolder,
		...launcher,
	});
	const uid = process.getuid?.() === 0 ? 234_567 : undefined;
	const hosting = openHosting({ sandbox, start: startConfined, uidOf: () => uid });
	const close = hosting[Symbol.asyncDispose];
	hosting[Symbol.asyncDispose] = async () => {
		await close();
		rmSync(stateFolder, { recursive: true, force: true });
	};
	const place = { temporary: "", cwd: "", protectedPaths: [], uid, network: true };
	return { hosting, home: (id) => sandbox.pathOf({ ...place, folder: path.join(hosting.folder, id, "home") }) };
}
