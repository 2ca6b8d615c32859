import { asc } from "drizzle-orm";
import { type PolicyDocument, policyDocument } from "../shared/policy";
import { chunk } from "./chunk";
import type { Db } from "./client";
import { bumpVersion } from "./config-version";
import { toolPolicies } from "./schema";

type PolicyRow = typeof toolPolicies.$inferSelect;

/** The policy in force; the defaults where none was stored. */
export async function readPolicy(db: Db): Promise<PolicyDocument> {
	return policyOf(await policyRows(db));
}

/** In the order that ordered rules need: a position is stored as a name of fixed length. */
export const policyRows = (db: Db) =>
	db.select().from(toolPolicies).orderBy(asc(toolPolicies.scope), asc(toolPolicies.name));

/** Puts a document together from its rows. Throws when they make none: a policy that cannot be read allows nothing. */
export function policyOf(rows: readonly PolicyRow[]): PolicyDocument {
	const of = (scope: string) => rows.filter((row) => row.scope === scope);
	const named = (scope: string) => Object.fromEntries(of(scope).map((row) => [row.name, row.value]));
	const ordered = (scope: string) => of(scope).map((row) => row.value);
	return policyDocument.parse({
		default: of("default")[0]?.value,
		groups: named("group"),
		tools: named("tool"),
		argumentRules: ordered("argument"),
		autoApprove: ordered("auto_approve"),
		approval: of("approval")[0]?.value,
		limits: of("limits")[0]?.value,
	});
}

export function rowsOfPolicy(policy: PolicyDocument): PolicyRow[] {
	const single = (scope: string, value: unknown) => [{ scope, name: "", value }];
	const named = (scope: string, values: Record<string, unknown>) =>
		Object.entries(values).map(([name, value]) => ({ scope, name, value }));
	const ordered = (scope: string, values: readonly unknown[]) =>
		values.map((value, at) => ({ scope, name: String(at).padStart(6, "0"), value }));
	return [
		...single("default", policy.default),
		...named("group", policy.groups),
		...named("tool", policy.tools),
		...ordered("argument", policy.argumentRules),
		...ordered("auto_approve", policy.autoApprove),
		...single("approval", policy.approval),
		...single("limits", policy.limits),
	];
}

/** Replaces the policy as a whole. */
export async function writePolicy(db: Db, policy: PolicyDocument): Promise<void> {
	const inserts = chunk(rowsOfPolicy(policy), 3).map((rows) => db.insert(toolPolicies).values(rows));
	await db.batch([db.delete(toolPolicies), ...inserts, bumpVersion(db)]);
}
