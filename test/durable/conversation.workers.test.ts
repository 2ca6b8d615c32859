import { expect, it } from "vitest";
import { call } from "../support/workers/api";
import { unanswered } from "../support/workers/provider";
import { admin, makeAgent, session } from "../support/workers/session";

it("shows the result of a call once the call has ended, not before", async () => {
	await call("/api/v1/sandbox/whitelist/HTTP", { body: { value: "slow.example.com" } });
	const own = session();
	const site = unanswered();
	await own.useFetch(site.reply);
	await own.start(await makeAgent(), '/http_get {"url": "https://slow.example.com/"}');
	await site.arrived();
	const shown = async () => (await own.stub().messages(admin, { limit: 10 }))?.items ?? [];
	expect((await shown()).map(({ role }) => role)).toEqual(["user", "assistant"]);
	await own.stub().cancel(admin);
	expect(await shown()).toMatchObject([
		{ role: "user" },
		{ role: "assistant", toolCalls: [{ name: "http_get" }] },
		{ role: "tool", name: "http_get", content: "http_get was cancelled.", isError: true },
	]);
});
