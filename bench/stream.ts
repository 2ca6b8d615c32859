import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startLocalWorker } from "./local-worker.ts";
import { type Measure, round } from "./measure.ts";

const chunks = 20_000;

/** CPU of workerd per chunk of streamed model text, from the bytes on the wire to the numbered event in the log. */
export async function measureStream(): Promise<Measure[]> {
	const vendor = await openVendor();
	const worker = await startLocalWorker({
		ORYX_MODEL: "openai:bench",
		ORYX_MODEL_BASE_URL: `${vendor.address}/v1`,
		ORYX_MODEL_API_KEY: "bench-key",
	});
	try {
		await worker.call("POST", "/api/v1/agents", { name: "talker", tools: [] });
		const turnCpu = async (count: number) => {
			const before = workerdCpuSeconds();
			const { answer } = await worker.call<{ answer: string }>("POST", "/api/v1/agents/talker/turns", {
				message: `${count}`,
			});
			if (answer.length !== count * word.length)
				throw new Error(`${answer.length} characters came of ${count} chunks.`);
			return workerdCpuSeconds() - before;
		};
		await turnCpu(chunks);
		const idle = await turnCpu(1);
		const busy = await turnCpu(chunks);
		return [
			{ name: "CPU per streamed chunk", value: round(((busy - idle) / chunks) * 1e6, 1), unit: "µs", atMost: 40 },
		];
	} finally {
		await worker.stop();
		await vendor.close();
	}
}

const word = "tide ";

/** A server that streams as many chunks as the last message asks for, in the form of OpenAI's chat completions. */
async function openVendor() {
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const piece of request.setEncoding("utf8")) body += piece;
		const { messages } = JSON.parse(body) as { messages: { content: unknown }[] };
		const count = Number.parseInt(JSON.stringify(messages.at(-1)?.content).replaceAll(/\D/g, ""), 10);
		response.setHeader("Content-Type", "text/event-stream");
		for (let at = 0; at < count; at++) {
			if (!response.write(eventOf({ delta: { content: word }, finish_reason: null }))) await once(response, "drain");
		}
		response.end(`${eventOf({ delta: {}, finish_reason: "stop" })}data: [DONE]\n\n`);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			server.closeAllConnections();
			await once(server.close(), "close");
		},
	};
}

const eventOf = (choice: object) =>
	`data: ${JSON.stringify({ id: "chatcmpl-bench", object: "chat.completion.chunk", created: 1, model: "bench", choices: [{ index: 0, ...choice }] })}\n\n`;

/** User and system time of the workerd processes that this process started; Linux alone tells. */
function workerdCpuSeconds(): number {
	const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
	const stats = readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(readStat);
	const ours = stats.filter((stat) => stat?.name === "workerd" && stat.parent === process.pid);
	return ours.reduce((sum, stat) => sum + (stat?.ticks ?? 0), 0) / ticksPerSecond;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function readStat(pid: string): { name: string; parent: number; ticks: number } | undefined {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, "utf8");
		const fields = text
			.slice(text.lastIndexOf(")") + 2)
			.split(" ")
			.map(Number);
		const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
		return { name, parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) };
	} catch {
		return undefined;
	}
}
