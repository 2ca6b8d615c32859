// Says how a run ended, from vitest's JSON report: `node scripts/tally.mjs <report> <failed checks>`.
import { existsSync, readFileSync } from "node:fs";

const [report, failedChecks] = process.argv.slice(2);
const text = existsSync(report) ? readFileSync(report, "utf8") : "";
if (text === "") console.log("The tests left no report: they ended before their end.");
const files = text === "" ? [{ status: "failed", assertionResults: [] }] : JSON.parse(text).testResults;

const tests = files.flatMap((file) => file.assertionResults);
const passed = tests.filter(({ status }) => status === "passed").length;
const leftOut = tests.filter(({ status }) => status !== "passed" && status !== "failed");
const brokenFiles = files.filter(({ status, assertionResults }) => {
	return status === "failed" && !assertionResults.some((test) => test.status === "failed");
});
for (const { fullName } of leftOut) console.log(`Did not run: ${fullName}`);
const failed = tests.length - passed + brokenFiles.length + Number(failedChecks);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
