import { defineConfig } from "vitest/config";

const report = process.env["TEST_REPORT"];
const long = process.env["FAULTS"] === "long";

const conditions = ["@tollgate/source"];
const source = { resolve: { conditions }, ssr: { resolve: { conditions } } };
// A machine that has less to offer than the CI may leave tests out; a test left in by mistake may not narrow the run.
const common = { pool: "forks", testTimeout: 20_000, hookTimeout: 30_000, allowOnly: false } as const;

export default defineConfig({
  test: {
    globalSetup: ["test/support/services.ts"],
    reporters: [
      "default",
      "./test/support/left-out.ts",
      ...(report === undefined ? [] : [["json", { outputFile: report }] as const]),
    ],
    projects: [
      {
        ...source,
        test: {
          ...common,
          name: "tests",
          include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "examples/*/src/**/*.test.ts"],
          exclude: ["**/node_modules/**", "test/faults/**"],
          maxWorkers: 2,
        },
      },
      {
        ...source,
        test: {
          ...common,
          name: "faults",
          include: ["test/faults/**/*.test.ts"],
          globalSetup: ["test/faults/build-workers.ts"],
          maxWorkers: long ? 1 : 2,
          // After all others, whose timing the killed processes would disturb.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
