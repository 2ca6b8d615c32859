import { checkRoom } from "./check-room";
import type { Database } from "./database";
import { bytesOf, commitLayer, createLayer, dropLayer } from "./layers";

export type JobState = "open" | "committed" | "rolled_back" | "expired";

/** Staged changes of a workspace that nobody else sees until they are committed. */
export interface Job {
	readonly id: string;
	/** 0 once the job is over. */
	readonly layer: number;
	/** The session whose own job it is; null for one made over the API. */
	readonly sessionId: string | null;
	readonly state: JobState;
	readonly createdAt: number;
	readonly usedAt: number;
	readonly ttlMs: number;
	readonly maxBytes: number;
}

/** A job that cannot be used so. */
export class JobRefused extends Error {
	override readonly name = "JobRefused";
	readonly code: "not_found" | "conflict";
	readonly reason: "job_missing" | "job_closed" | "job_unsaid" | "commit_conflict";
	readonly paths: readonly string[];

	constructor(refusal: Pick<JobRefused, "code" | "reason" | "message"> & { paths?: readonly string[] }) {
		super(refusal.message);
		this.code = refusal.code;
		this.reason = refusal.reason;
		this.paths = refusal.paths ?? [];
	}
}

const columns =
	"id, layer, session_id AS sessionId, state, created_at AS createdAt, used_at AS usedAt, ttl_ms AS ttlMs, max_bytes AS maxBytes";
type JobRow = Job & Record<string, string | number | null>;
const maxKept = 500;

/** The write sandbox of a workspace: table `jobs`, a layer for each open one. */
export class Jobs {
	readonly #db: Database;
	readonly #now: () => number;
	readonly #due: (at: number) => void;

	/** `due` hears when `expire` has something to do. */
	constructor(db: Database, now: () => number, due: (at: number) => void) {
		this.#db = db;
		this.#now = now;
		this.#due = due;
		db.exec(`CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, layer INTEGER NOT NULL, session_id TEXT, state TEXT NOT NULL,
			created_at INTEGER NOT NULL, used_at INTEGER NOT NULL, ttl_ms INTEGER NOT NULL, max_bytes INTEGER NOT NULL) WITHOUT ROWID`);
	}

	create(job: Pick<Job, "id" | "sessionId" | "ttlMs" | "maxBytes">): Job {
		const now = this.#now();
		return this.#db.transaction(() => {
			const known = this.find(job.id);
			if (known) return known;
			const made: Job = {
				...job,
				layer: createLayer(this.#db, { parent: 0 }),
				state: "open",
				createdAt: now,
				usedAt: now,
			};
			const insert = "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
			this.#db.exec(insert, made.id, made.layer, made.sessionId, made.state, now, now, made.ttlMs, made.maxBytes);
			const oldest = "SELECT id FROM jobs WHERE state <> 'open' ORDER BY created_at DESC LIMIT -1 OFFSET ?";
			this.#db.exec(`DELETE FROM jobs WHERE id IN (${oldest})`, maxKept);
			this.#due(expiryOf(made));
			return made;
		});
	}

	find(id: string): Job | undefined {
		return this.#db.exec<JobRow>(`SELECT ${columns} FROM jobs WHERE id = ?`, id).toArray()[0];
	}

	/** Throws JobRefused. */
	get(id: string): Job {
		const job = this.find(id);
		if (job) return job;
		const message = `There is no job ${id} in this workspace.`;
		throw new JobRefused({ code: "not_found", reason: "job_missing", message });
	}

	/** The open job for another use of it, which counts for its life. Throws JobRefused. */
	use(id: string): Job {
		const job = this.get(id);
		if (job.state !== "open") throw closed(job);
		const now = this.#now();
		if (now >= expiryOf(job)) {
			this.#close(job, "expired");
			throw closed({ ...job, state: "expired" });
		}
		// A row for each read would cost more than it is worth.
		if (now - job.usedAt < job.ttlMs / 20) return job;
		this.#db.exec("UPDATE jobs SET used_at = ? WHERE id = ?", now, id);
		return { ...job, usedAt: now };
	}

	openOfSession(sessionId: string): Job | undefined {
		const select = `SELECT ${columns} FROM jobs WHERE session_id = ? AND state = 'open' ORDER BY created_at DESC LIMIT 1`;
		const job = this.#db.exec<JobRow>(select, sessionId).toArray()[0];
		return job && this.#now() < expiryOf(job) ? this.use(job.id) : undefined;
	}

	/** Newest first. */
	list(): Job[] {
		return this.#db.exec<JobRow>(`SELECT ${columns} FROM jobs ORDER BY created_at DESC, id DESC`).toArray();
	}

	/** What the job's files hold; 0 once it is over. */
	bytes(id: string): number {
		const job = this.find(id);
		return job?.state === "open" ? bytesOf(this.#db, job.layer) : 0;
	}

	/** Puts all changes into the workspace, or none. A second commit answers as the first. Throws JobRefused with the paths that changed underneath. */
	commit(id: string, maxWorkspaceBytes: number): Job {
		return this.#db.transaction(() => {
			const job = this.get(id);
			if (job.state === "committed") return job;
			this.use(id);
			const before = bytesOf(this.#db, 0);
			const committed = commitLayer(this.#db, job.layer);
			if (!committed.ok) {
				const shown = committed.conflicts.slice(0, 5).join(", ");
				const message = `Nothing was committed: ${shown} changed underneath since the job first touched it. Roll the job back, or bring its changes into a new one.`;
				throw new JobRefused({ code: "conflict", reason: "commit_conflict", message, paths: committed.conflicts });
			}
			checkRoom({ before, after: bytesOf(this.#db, 0), maxBytes: maxWorkspaceBytes });
			return this.#end(job, "committed");
		});
	}

	/** Throws the changes away. A second roll back answers as the first. Throws JobRefused. */
	rollBack(id: string): Job {
		const job = this.get(id);
		if (job.state === "rolled_back") return job;
		if (job.state !== "open") throw closed(job);
		return this.#close(job, "rolled_back");
	}

	/** Rolls back what nobody has used for its time; answers when the next one is due. */
	expire(): number | undefined {
		const now = this.#now();
		const open = this.list().filter(({ state }) => state === "open");
		for (const job of open) if (now >= expiryOf(job)) this.#close(job, "expired");
		const left = open.map(expiryOf).filter((at) => at > now);
		return left.length > 0 ? Math.min(...left) : undefined;
	}

	#close(job: Job, state: JobState): Job {
		return this.#db.transaction(() => {
			dropLayer(this.#db, job.layer);
			return this.#end(job, state);
		});
	}

	#end(job: Job, state: JobState): Job {
		this.#db.exec("UPDATE jobs SET state = ?, layer = 0, used_at = ? WHERE id = ?", state, this.#now(), job.id);
		return { ...job, state, layer: 0, usedAt: this.#now() };
	}
}

/** Uses are noted coarsely, so a little is added: never too early. */
export const expiryOf = ({ usedAt, ttlMs }: Pick<Job, "usedAt" | "ttlMs">): number =>
	usedAt + ttlMs + Math.ceil(ttlMs / 20);

const closed = ({ id, state }: Job) =>
	new JobRefused({
		code: "conflict",
		reason: "job_closed",
		message: `The job ${id} is ${state.replace("_", " ")}; begin a new one.`,
	});
