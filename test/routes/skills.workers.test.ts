import { describe, expect, it } from "vitest";
import { call } from "../support/workers/api";

const text = "---\nname: weather\ndescription: Asks for the weather\nlicense: MIT\n---\n\nCall http_get.\n";

describe("a skill", () => {
	it("is written, read to the letter, listed and deleted", async () => {
		const made = await call("/api/v1/skills/weather", { method: "PUT", body: text });
		expect(made.status, made.text).toBe(201);
		expect(made.json).toMatchObject({ name: "weather", description: "Asks for the weather" });
		const read = await call("/api/v1/skills/weather");
		expect(read.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
		expect(read.text).toBe(text);
		const asJson = await call("/api/v1/skills/weather", { headers: { accept: "application/json" } });
		expect(asJson.json).toMatchObject({ name: "weather", content: text });
		const { json } = await call("/api/v1/skills");
		expect(json).toMatchObject({ items: [{ name: "weather" }], nextCursor: null });
		expect(json).not.toHaveProperty("items[0].content");
		expect((await call("/api/v1/skills/weather", { method: "PUT", body: text })).status).toBe(200);
		expect((await call("/api/v1/skills/weather", { method: "DELETE" })).status).toBe(204);
		expect((await call("/api/v1/skills/weather")).status).toBe(404);
	});

	it.each([
		["another name than the path's", "other", text, 400, /^name: it is weather/],
		["no description", "a", "---\nname: a\n---\nbody", 400, /^description:/],
		["no instructions", "a", "---\nname: a\ndescription: d\n---\n", 400, /Write the instructions/],
		["more than 512 KB", "a", `---\nname: a\ndescription: d\n---\n${"x".repeat(524_289)}`, 413, /524288 bytes/],
	])("is refused with %s", async (_, name, body, expected, message) => {
		const { status, json } = await call(`/api/v1/skills/${name}`, { method: "PUT", body });
		expect(status).toBe(expected);
		expect(json).toMatchObject({ error: { message: expect.stringMatching(message) } });
		expect((await call(`/api/v1/skills/${name}`)).status).toBe(404);
	});

	it("is refused as JSON", async () => {
		expect((await call("/api/v1/skills/a", { method: "PUT", body: { name: "a" } })).status).toBe(415);
	});
});
