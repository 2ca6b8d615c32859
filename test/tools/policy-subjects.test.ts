import { describe, expect, it } from "vitest";
import type { PolicyAction } from "../../src/shared/policy";
import { admit } from "../../src/tools/admit";
import { deleteAny } from "../../src/tools/files/delete-any";
import { deleteFile } from "../../src/tools/files/delete-file";
import { court } from "../support/court";

const tools = [deleteFile, deleteAny];

async function gateOf(policy: Record<string, PolicyAction>, name: string, value: object) {
	const verdict = await admit(court({ tools, policy: { tools: policy } }), { name, input: { ok: true, value } });
	return verdict.admitted ? "admitted" : [verdict.refusal.gate, verdict.refusal.message.includes("delete_recursive")];
}

describe.each([
	["delete_file", { path: "a" }],
	["deleteFile", { filePath: "a" }],
])("%s", (name, place) => {
	it.each<[Record<string, PolicyAction>, boolean | undefined, unknown]>([
		[{}, undefined, "admitted"],
		[{}, false, "admitted"],
		[{}, true, ["approval", true]],
		[{ delete_recursive: "allow" }, true, "admitted"],
		[{ delete_recursive: "deny" }, true, ["policy", true]],
		[{ delete_recursive: "deny" }, false, "admitted"],
		[{ delete_recursive: "allow", delete_file: "supervised" }, true, ["approval", false]],
		[{ delete_recursive: "allow", delete_file: "deny" }, true, ["policy", false]],
	])("under %j with recursive %j is %j", async (policy, recursive, gate) => {
		expect(await gateOf(policy, name, { ...place, recursive })).toEqual(gate);
	});
});
