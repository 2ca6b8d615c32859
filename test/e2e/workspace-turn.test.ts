import { isChatCompletionBody, LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { apiOf, type Call } from "../support/node/api-client";
import { type Home, makeHome, type OryxProcess, startOryx } from "../support/node/oryx-process";
import { commands, type Step, workOfOryx, workOfPrx, workOfRuoyi } from "../support/node/project-work";
import { differences, openProject, type SampleProject } from "../support/node/sample-project";

interface TurnView {
	readonly sessionId: string;
	readonly status: string;
	readonly jobId?: string;
	readonly toolCalls: readonly {
		readonly name: string;
		readonly arguments: unknown;
		readonly result: { readonly success: boolean; readonly content: string };
	}[];
}

interface AuditRow {
	readonly toolName: string;
	readonly inputJson: string;
	readonly success: boolean;
	readonly code: string | null;
	readonly gate: string | null;
}

let model: LLMock;
let home: Home;
let oryx: OryxProcess;
let call: Call;

beforeAll(async () => {
	model = new LLMock({ port: 0, host: "127.0.0.1" });
	await model.start();
	home = await makeHome({
		ORYX_MODEL: "openai:gpt-5-mini",
		ORYX_MODEL_BASE_URL: `${model.url}/v1`,
		ORYX_MODEL_API_KEY: "e2e-key",
	});
	oryx = await startOryx(home);
	call = apiOf(home);
	for (const value of commands) await call("POST", "/sandbox/whitelist/SHELL", { value });
}, 120_000);

afterAll(async () => {
	await oryx?.kill();
	home?.discard();
	await model?.stop();
});

describe("a turn over an uploaded project of about 1,000 files", { timeout: 120_000 }, () => {
	it("does on the manual model what real programs do on the disk", async () => {
		const project = await upload("oryx");
		const steps = workOfOryx(project);
		await call("POST", "/agents", { name: "oryx", provider: { name: "manual" }, tools: ["*"] });

		const message = steps.map((step) => `/${step.name} ${JSON.stringify(step.arguments)}`).join("\n");
		const view = await call<TurnView>("POST", "/agents/oryx/turns", { message });
		expectDone(view, steps);
		expect(await auditOf(view)).toEqual(steps.map(auditRow));
		expect(differences(await download("oryx", "archive"), project)).toBe("");
	});

	it("does so on a language model that has other names for the tools", async () => {
		const project = await upload("ruoyi");
		const steps = workOfRuoyi(project);

		const view = await runOnModel("ruoyi", steps);
		expectDone(view, steps);
		expect(await auditOf(view)).toEqual(steps.map(auditRow));
		expect(differences(await download("ruoyi", "archive"), project)).toBe("");
		expect(await download("ruoyi", "files?path=domino/lib/config.js")).toEqual(project.read("domino/lib/config.js"));
	});

	it("holds everything back until it is committed, where its changes are staged", async () => {
		const before = await upload("prx");
		const project = openProject();
		onTestFinished(() => project.discard());
		const steps = workOfPrx(project);

		const view = await runOnModel("prx", steps, { write_mode: "staged" });
		expectDone(view, steps);
		expect(await auditOf(view)).toEqual(steps.map(auditRow));
		expect(differences(await download("prx", "archive"), before)).toBe("");
		expect(differences(await download("prx", `archive?job=${view.jobId}`), project)).toBe("");
		before.run("git apply -p2 --whitespace=nowarn", await download("prx", `jobs/${view.jobId}/diff`));
		expect(before.run(`diff -r . '${project.base}' || true`)).toBe("");

		const job = await call("POST", `/workspaces/prx/jobs/${view.jobId}/commit`);
		expect(job).toMatchObject({ state: "committed", sessionId: view.sessionId });
		expect(differences(await download("prx", "archive"), project)).toBe("");
	});
});

/** The project on the disk, and the same as all that a workspace holds. */
async function upload(workspace: string): Promise<SampleProject> {
	const project = openProject();
	onTestFinished(() => project.discard());
	const response = await fetch(`${home.address}/api/v1/workspaces/${workspace}/archive`, {
		method: "POST",
		headers: { Authorization: `Bearer ${home.token}`, "Content-Type": "application/gzip" },
		body: project.archive,
	});
	const answer: unknown = await response.json();
	expect({ status: response.status, answer }).toMatchObject({
		status: 200,
		answer: {
			files: project.lines("find . -type f").length,
			skipped: project.controlFiles.map((path) => ({ path, reason: "protected_path" })),
		},
	});
	return project;
}

async function download(workspace: string, what: string): Promise<Buffer> {
	const response = await fetch(`${home.address}/api/v1/workspaces/${workspace}/${what}`, {
		headers: { Authorization: `Bearer ${home.token}` },
	});
	expect(response.status).toBe(200);
	return Buffer.from(await response.arrayBuffer());
}

/** Makes an agent that has the tools of these steps, and a model that calls them one by one; checks what the model was told. */
async function runOnModel(agent: string, steps: readonly Step[], settings: object = {}): Promise<TurnView> {
	const tools = [...new Set(steps.map(({ name }) => name))];
	await call("POST", "/agents", { name: agent, tools, settings: { max_iterations: 50, ...settings } });
	const message = `Tidy up, ${agent}.`;
	for (const [turnIndex, { name, arguments: args }] of steps.entries()) {
		model.on({ userMessage: message, turnIndex }, { toolCalls: [{ name, arguments: JSON.stringify(args) }] });
	}
	model.on({ userMessage: message, turnIndex: steps.length }, { content: "It is tidy." });

	const view = await call<TurnView>("POST", `/agents/${agent}/turns`, { message });
	const asked = model.getRequests().flatMap(({ body }) => (isChatCompletionBody(body) ? [body] : []));
	const { messages = [], tools: shown = [] } = asked.at(-1) ?? {};
	expect(shown.map((tool) => tool.function.name).toSorted()).toEqual(tools.toSorted());
	expect(messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []))).toEqual(
		steps.map(({ told }) => told),
	);
	return view;
}

function expectDone({ status, toolCalls }: TurnView, steps: readonly Step[]): void {
	const done = toolCalls.map(({ name, arguments: args, result }) => {
		return { name, arguments: args, told: result.content, ...(!result.success && { isRefused: true }) };
	});
	expect({ status, done }).toEqual({ status: "completed", done: steps });
}

/** The audit of a turn in the order of its calls, its arguments as they were given. */
async function auditOf({ sessionId }: TurnView) {
	const { items } = await call<{ items: AuditRow[] }>("GET", `/tool-invocations?session=${sessionId}&limit=200`);
	return items.toReversed().map(({ toolName, inputJson, success, code, gate }) => {
		return { toolName, arguments: JSON.parse(inputJson), success, code, gate };
	});
}

const auditRow = ({ name, arguments: args, isRefused }: Step) => ({
	toolName: name,
	arguments: args,
	success: !isRefused,
	code: isRefused ? "not_listed" : null,
	gate: isRefused ? "lists" : null,
});
