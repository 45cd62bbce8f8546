import { readFileSync } from "node:fs";

// A report and the exit code of the command that wrote it, for one command after another.
const results = inPairs(process.argv.slice(2)).map(([report, status]) => count(read(report), Number(status)));
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || results.length === 0 || results.some((result) => result.passed === 0) ? 1 : 0;

/**
 * @param {readonly string[]} words
 * @returns {readonly (readonly [string, string])[]}
 */
function inPairs(words) {
  return words.flatMap((word, at) => (at % 2 === 0 ? [/** @type {const} */ ([word, words[at + 1] ?? "1"])] : []));
}

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
