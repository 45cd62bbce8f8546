import { readFileSync } from "node:fs";

// A report and the exit code of the command that wrote it, for one command after another.
const results = inPairs(process.argv.slice(2)).map(([report, status]) => count(read(report), Number(status)));
for (const name of results.flatMap(({ failures }) => failures)) console.log(`Failed: ${name}`);
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
 * @typedef {object} TestFile
 * @property {string} name
 * @property {string} status
 * @property {readonly { readonly status: string, readonly fullName: string }[]} assertionResults
 */

/**
 * What Vitest's JSON reporter wrote, as far as it is read here.
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {readonly TestFile[]} testResults
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
  const files = report?.testResults ?? [];
  const broken = files.filter((file) => file.status === "failed" && failedTests(file).length === 0);
  const failed = (report?.numFailedTests ?? 0) + broken.length;
  const failures = [...broken.map(({ name }) => name), ...files.flatMap(failedTests)];
  if (status !== 0 && failed === 0)
    return { passed: report?.numPassedTests ?? 0, failed: 1, failures: [`exit code ${status}`] };
  return { passed: report?.numPassedTests ?? 0, failed, failures };
}

/**
 * @param {TestFile} file
 * @returns {readonly string[]}
 */
function failedTests({ name, assertionResults }) {
  return assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => `${name} > ${fullName}`);
}
