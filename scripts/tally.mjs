// Says how a run ended, from vitest's JSON report: `node scripts/tally.mjs <report> <failed checks>`.
import { existsSync, readFileSync } from "node:fs";

const [report, failedChecks] = process.argv.slice(2);
const text = existsSync(report) ? readFileSync(report, "utf8") : "";
if (text === "") console.log("The tests left no report: they ended before their end.");
const { success, testResults: files } = text === "" ? { success: false, testResults: [] } : JSON.parse(text);

const tests = files.flatMap((file) => file.assertionResults);
const passed = tests.filter(({ status }) => status === "passed").length;
// The corpus beside the repository is no part of it: a clone alone tests itself without.
const isExcused = ({ fullName }) => fullName.includes("shared corpus") && !existsSync("../shared/data");
const leftOut = tests.filter(({ status }) => status !== "passed" && status !== "failed");
for (const test of leftOut) console.log(`Did not run${isExcused(test) ? ", and need not here" : ""}: ${test.fullName}`);

const failedTests = tests.length - passed - leftOut.filter(isExcused).length;
// A file that could not be loaded, or an error outside any test, fails the run without failing a test.
const otherFailures = success || failedTests > 0 ? 0 : 1;
const failed = failedTests + otherFailures + Number(failedChecks);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
