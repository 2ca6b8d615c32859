import { createHash } from "node:crypto";
import { chunkAt, chunkBytes, chunkCount, isHole } from "../../../src/workspace/chunks";
import type { Database, SqlValue } from "../../../src/workspace/database";

type Row = Record<string, SqlValue> & {
	layer: number;
	id: number;
	dir: number;
	name: string;
	kind: string;
	size: number;
	own: number;
	base_rev: number;
	path: string | null;
	chunks: ArrayBuffer | null;
};

const hex = (bytes: ArrayBuffer | Uint8Array) => Buffer.from(new Uint8Array(bytes)).toString("hex");
const listOf = (row: Row) => new Uint8Array(row.chunks ?? new ArrayBuffer(0));

/** What is wrong in the tables of a file system; nothing should be. */
export function faultsOf(db: Database): string[] {
	const rows = db.exec<Row>("SELECT * FROM nodes").toArray();
	return [...chunkFaults(db, rows), ...byteFaults(db, rows), ...treeFaults(rows), ...contentFaults(rows)];
}

function chunkFaults(db: Database, rows: readonly Row[]): string[] {
	const uses = new Map<string, number>();
	const use = (hash: Uint8Array) => isHole(hash) || uses.set(hex(hash), (uses.get(hex(hash)) ?? 0) + 1);
	for (const row of rows) {
		const list = listOf(row);
		for (let index = 0; index < chunkCount(list); index++) use(chunkAt(list, index));
	}
	for (const { hash } of db.exec<{ hash: ArrayBuffer }>("SELECT hash FROM held").toArray()) use(new Uint8Array(hash));
	const shares = db.exec<{ hash: ArrayBuffer; extra: number }>("SELECT * FROM shares").toArray();
	const extra = new Map(shares.map((row) => [hex(row.hash), row.extra]));
	const stored = db.exec<{ hash: ArrayBuffer; data: ArrayBuffer }>("SELECT * FROM chunks").toArray();
	const known = new Set(stored.map(({ hash }) => hex(hash)));
	return [
		...[...uses.keys()].filter((hash) => !known.has(hash)).map((hash) => `chunk ${hash} is missing`),
		...[...known].filter((hash) => !uses.has(hash)).map((hash) => `chunk ${hash} is used by nobody`),
		...[...known]
			.filter((hash) => (extra.get(hash) ?? 0) !== (uses.get(hash) ?? 0) - 1)
			.map((hash) => `chunk ${hash} has ${uses.get(hash)} uses, and ${extra.get(hash)} are counted beyond the first`),
		...shares.filter((row) => row.extra < 1 || !known.has(hex(row.hash))).map((row) => `shares has ${hex(row.hash)}`),
		...stored.flatMap(({ hash, data }) => {
			const bytes = new Uint8Array(data);
			const isRight = hex(createHash("sha256").update(bytes).digest()) === hex(hash);
			return isRight && bytes.at(-1) !== 0 && bytes.length <= chunkBytes ? [] : [`chunk ${hex(hash)} is not its own`];
		}),
	];
}

function byteFaults(db: Database, rows: readonly Row[]): string[] {
	const layers = db.exec<{ id: number; bytes: number }>("SELECT id, bytes FROM layers").toArray();
	const bytesIn = (layer: number) =>
		rows
			.filter((row) => row.layer === layer && row.kind === "file" && row.own)
			.reduce((sum, { size }) => sum + size, 0);
	return [
		...layers
			.filter(({ id, bytes }) => bytes !== bytesIn(id))
			.map(({ id, bytes }) => `layer ${id} holds ${bytesIn(id)} bytes, not ${bytes}`),
		...rows.filter(({ layer }) => !layers.some(({ id }) => id === layer)).map(({ layer }) => `layer ${layer} is gone`),
	];
}

/** Of the workspace itself: each node hangs from a root, under a name of its own. */
function treeFaults(rows: readonly Row[]): string[] {
	const base = rows.filter(({ layer }) => layer === 0);
	const byId = new Map(base.map((row) => [row.id, row]));
	const places = new Set<string>();
	return base.flatMap((row) => {
		const place = `${row.dir}/${row.name}`;
		const isTwice = places.has(place);
		places.add(place);
		const isPlain = row.kind !== "removed" && row.own === 1 && row.base_rev === 0 && row.path === null;
		return [
			...(isTwice ? [`${place} is there twice`] : []),
			...(isPlain ? [] : [`${place} is no row of the workspace`]),
			...(hangs(row, byId) ? [] : [`${place} hangs from no root`]),
		];
	});
}

function hangs(row: Row, byId: ReadonlyMap<number, Row>): boolean {
	let dir = row.dir;
	for (let steps = 0; dir !== 0; steps++) {
		const parent = byId.get(dir);
		if (parent?.kind !== "directory" || steps > byId.size) return false;
		dir = parent.dir;
	}
	return true;
}

const contentFaults = (rows: readonly Row[]): string[] =>
	rows
		.filter((row) => chunkCount(listOf(row)) !== (row.kind === "file" ? Math.ceil(row.size / chunkBytes) : 0))
		.map((row) => `${row.name} has ${row.size} bytes in ${chunkCount(listOf(row))} chunks`);
