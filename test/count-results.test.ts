import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const report = (passed: number, failed: number, ...testResults: object[]) =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults });
const failedTest = { name: "a.test.ts", status: "failed", assertionResults: [{ status: "failed", fullName: "adds" }] };
const brokenFile = { name: "b.test.ts", status: "failed", assertionResults: [] };

it.each([
  ["passed tests", report(3, 0), 0, "3 passed, 0 failed", 0],
  ["failed tests", report(3, 1, failedTest), 1, "3 passed, 1 failed", 1],
  ["a file that does not load as a failure", report(3, 1, failedTest, brokenFile), 1, "3 passed, 2 failed", 1],
  ["a command that failed before a test ran as a failure", "", 1, "0 passed, 1 failed", 1],
  ["a command that failed beside its tests as a failure", report(3, 0), 1, "3 passed, 1 failed", 1],
  ["no tests, which is not a success", report(0, 0), 0, "0 passed, 0 failed", 1],
])("counts %s", (_what, text, status, line, exitCode) => {
  expect(countResults([text, status])).toMatchObject({ line, exitCode });
});

it.each([
  ["passed tests", [report(3, 0), 0], [report(2, 0), 0], "5 passed, 0 failed", 0],
  ["a failure in the first", [report(3, 1, failedTest), 1], [report(2, 0), 0], "5 passed, 1 failed", 1],
  ["a failure in the second", [report(3, 0), 0], [report(2, 1, failedTest), 1], "5 passed, 1 failed", 1],
  ["a second command that did not run as a failure", [report(3, 0), 0], ["", 1], "3 passed, 1 failed", 1],
  ["no tests in the second, which is not a success", [report(3, 0), 0], [report(0, 0), 0], "3 passed, 0 failed", 1],
] as const)("counts two commands together: %s", (_what, first, second, line, exitCode) => {
  expect(countResults(first, second)).toMatchObject({ line, exitCode });
});

it("names what failed before the last line", () => {
  expect(countResults([report(3, 1, failedTest, brokenFile), 1], ["", 2]).named).toEqual([
    "Failed: b.test.ts",
    "Failed: a.test.ts > adds",
    "Failed: exit code 2",
  ]);
});

/** Each command is the text of its report and its exit code. */
function countResults(...commands: readonly (readonly [string, number])[]) {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-report-"));
  const given = commands.flatMap(([text, status], at) => {
    const path = join(folder, `report-${at}.json`);
    writeFileSync(path, text);
    return [path, String(status)];
  });
  const script = join(import.meta.dirname, "count-results.mjs");
  const result = spawnSync(process.execPath, [script, ...given], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  const lines = result.stdout.trimEnd().split("\n");
  return { line: lines.at(-1), exitCode: result.status, named: lines.slice(0, -1) };
}
