import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { open } from "../../src/lib/seal";
import { call } from "../support/workers/api";
import { capturedLog } from "../support/workers/console";
import { wholeDatabase } from "../support/workers/database";

const canary = "canary-0123456789-wxyz";

describe("a secret", () => {
	it("goes in and never comes out", async () => {
		const lines = capturedLog();
		const answers = [
			await call("/api/v1/secrets/MODEL_KEY", { method: "PUT", body: { value: canary } }),
			await call("/api/v1/secrets/MODEL_KEY"),
			await call("/api/v1/secrets"),
			await call("/api/v1/secrets/BAD-NAME", { method: "PUT", body: { value: canary } }),
			await call("/api/v1/secrets/MODEL_KEY", { method: "PUT", body: { value: canary, extra: canary } }),
			await call("/api/v1/secrets/MODEL_KEY", { method: "PUT", body: canary }),
			await call("/api/v1/secrets/MODEL_KEY", {
				method: "PUT",
				body: canary,
				headers: { "content-type": "application/json" },
			}),
		];
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400, 415, 400]);
		expect(answers[1]?.json).toMatchObject({ name: "MODEL_KEY", configured: true, hint: "wxyz" });
		expect(answers[3]?.json).toMatchObject({ error: { message: expect.stringMatching(/^name: /) } });
		const everywhere = [...answers.map(({ text }) => text), ...lines, await wholeDatabase()].join("\n");
		expect(everywhere).toContain("MODEL_KEY");
		expect(everywhere).not.toContain(canary);
		expect(everywhere).not.toContain(canary.slice(0, 8));
		expect(everywhere).not.toContain(btoa(canary).slice(0, 20));
	});

	it("is stored so that only its own row opens it", async () => {
		await call("/api/v1/secrets/SEALED", { method: "PUT", body: { value: canary } });
		const stored = await env.DB.prepare("SELECT value FROM secrets WHERE name = 'SEALED'").first<{ value: string }>();
		const masterKey = env.ORYX_MASTER_KEY ?? "";
		expect(await open(masterKey, "secrets|SEALED|value", stored?.value ?? "")).toBe(canary);
		await expect(open(masterKey, "secrets|OTHER|value", stored?.value ?? "")).rejects.toThrow(/does not open/);
	});

	it("shows nothing of a short value", async () => {
		const { json } = await call("/api/v1/secrets/SHORT", { method: "PUT", body: { value: "12345678" } });
		expect(json).toMatchObject({ hint: "" });
	});

	it("is refused empty, and is deleted only by DELETE", async () => {
		await call("/api/v1/secrets/KEPT", { method: "PUT", body: { value: canary } });
		expect((await call("/api/v1/secrets/KEPT", { method: "PUT", body: { value: "" } })).status).toBe(400);
		expect((await call("/api/v1/secrets/KEPT")).status).toBe(200);
		expect((await call("/api/v1/secrets/KEPT", { method: "DELETE" })).status).toBe(204);
		expect((await call("/api/v1/secrets/KEPT")).status).toBe(404);
	});
});
