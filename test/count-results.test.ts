import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

const report = (passed: number, failed: number, ...testResults: object[]) =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, testResults });
const failedTest = { status: "failed", assertionResults: [{ status: "failed" }] };
const brokenFile = { status: "failed", assertionResults: [] };

it.each([
  ["passed tests", report(3, 0), 0, "3 passed, 0 failed", 0],
  ["failed tests", report(3, 1, failedTest), 1, "3 passed, 1 failed", 1],
  ["a file that does not load as a failure", report(3, 1, failedTest, brokenFile), 1, "3 passed, 2 failed", 1],
  ["a command that failed before a test ran as a failure", "", 1, "0 passed, 1 failed", 1],
  ["a command that failed beside its tests as a failure", report(3, 0), 1, "3 passed, 1 failed", 1],
  ["no tests, which is not a success", report(0, 0), 0, "0 passed, 0 failed", 1],
])("counts %s", (_what, text, status, line, exitCode) => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-report-"));
  writeFileSync(join(folder, "report.json"), text);
  const script = join(import.meta.dirname, "count-results.mjs");
  const result = spawnSync(process.execPath, [script, join(folder, "report.json"), String(status)], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  expect(result.stdout).toBe(`${line}\n`);
  expect(result.status).toBe(exitCode);
});
