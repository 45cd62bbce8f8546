import { readFileSync } from "node:fs";

const [report = "", status = "1"] = process.argv.slice(2);
const { passed, failed } = count(read(report), Number(status));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/**
 * What Vitest's JSON reporter wrote, as far as it is read here.
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {readonly { readonly status: string, readonly assertionResults: readonly { readonly status: string }[] }[]} testResults
 */

/**
 * The report, or undefined when the command failed before a test ran.
 * @param {string} path
 * @returns {Report | undefined}
 */
function read(path) {
  const text = readFileSync(path, "utf8");
  return text === "" ? undefined : JSON.parse(text);
}

/**
 * A file that could not be loaded counts as one failure, and so does a command that failed though no test did.
 * @param {Report | undefined} report
 * @param {number} status
 */
function count(report, status) {
  const broken = (report?.testResults ?? []).filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const failed = (report?.numFailedTests ?? 0) + broken;
  return { passed: report?.numPassedTests ?? 0, failed: status !== 0 && failed === 0 ? 1 : failed };
}
