import { createHash } from "node:crypto";
import { canonicalJson } from "../../../src/lib/canonical-json";
import type { ServerSpec, ServerStatus } from "../../../src/shared/runner-servers";
import { HostedServer } from "./hosted-server";
import { removePlace } from "./places";
import type { Starter } from "./starter";

/** All hosted servers by id; each process belongs to one configuration of one id and ends with it. */
export class Servers {
	readonly #starter: Starter;
	readonly #folder: string;
	readonly #byId = new Map<string, HostedServer>();
	/** Ends that are under way; whoever takes an id next starts after them. */
	readonly #ends = new Map<string, Promise<void>>();

	constructor({ starter, folder }: { starter: Starter; folder: string }) {
		this.#starter = starter;
		this.#folder = folder;
	}

	get runningCount(): number {
		return [...this.#byId.values()].filter(({ isRunning }) => isRunning).length;
	}

	get(id: string): HostedServer | undefined {
		return this.#byId.get(id);
	}

	list(): ServerStatus[] {
		return [...this.#byId.values()].map((server) => server.status());
	}

	/** Puts a configuration in force. The one that is in force already keeps its process, and is forgiven its failures. */
	async put(id: string, spec: ServerSpec): Promise<ServerStatus> {
		const configHash = createHash("sha256").update(canonicalJson(spec)).digest("hex");
		const present = this.#byId.get(id);
		if (present?.configHash === configHash) {
			present.forgive();
			await present.check();
			return present.status();
		}
		if (present) void this.#end(id, present.stop("The server's configuration was changed."));
		const after = this.#ends.get(id) ?? Promise.resolve();
		const server = new HostedServer({ id, spec, configHash, starter: this.#starter, after });
		this.#byId.set(id, server);
		await server.check();
		return server.status();
	}

	/** Done when its processes and files are gone; false when there is no such server. */
	async remove(id: string): Promise<boolean> {
		const server = this.#byId.get(id);
		if (!server) return false;
		this.#byId.delete(id);
		await this.#end(
			id,
			server.stop("The server was removed.").then(() => removePlace(this.#folder, id)),
		);
		return true;
	}

	/** Stops everything, for the runner stops. */
	async close(): Promise<void> {
		for (const [id, server] of this.#byId) void this.#end(id, server.stop("The runner is stopping."));
		await Promise.all(this.#ends.values());
	}

	async #end(id: string, ending: Promise<void>): Promise<void> {
		const all = Promise.allSettled([this.#ends.get(id), ending]).then(() => {
			if (this.#ends.get(id) === all) this.#ends.delete(id);
		});
		this.#ends.set(id, all);
		await ending;
	}
}
