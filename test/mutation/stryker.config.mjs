import { partToMutate } from "./parts.mjs";

const { name, folder } = partToMutate();

/** Changes the sources of one part in many small ways, and tells which changes its tests do not notice. */
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  mutate: [`${folder}/*.ts`, "!**/*.test.ts"],
  coverageAnalysis: "perTest",
  // A worker has the memory of a whole gateway, and a timeout is only worth something on a core of its own.
  concurrency: 2,
  timeoutMS: 20_000,
  thresholds: { high: 90, low: 90, break: 90 },
  reporters: ["clear-text", "json", "progress-append-only"],
  jsonReporter: { fileName: `test-results/mutation-${name}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
  ignorePatterns: ["**/dist", ".runtimes", "docs/**/*.md", "test/upgrades", "**/.declarations", "test-results"],
  tempDirName: "test-results/stryker",
};
