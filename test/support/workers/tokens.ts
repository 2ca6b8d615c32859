import { expect } from "vitest";
import * as z from "zod";
import { call } from "./api";

/** Makes an API token as the admin and answers it with its id. */
export async function makeToken(body: Record<string, unknown>): Promise<{ id: string; token: string }> {
	const { status, json, text } = await call("/api/v1/tokens", { body: { name: "test", ...body } });
	expect(status, text).toBe(201);
	return z.object({ id: z.string(), token: z.string() }).parse(json);
}
