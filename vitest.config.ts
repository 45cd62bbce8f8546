import { defineConfig } from "vitest/config";

const report = process.env["TEST_REPORT"];

export default defineConfig({
  resolve: { conditions: ["@tollgate/source"] },
  ssr: { resolve: { conditions: ["@tollgate/source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "examples/*/src/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // A machine that has less to offer than the CI may leave tests out; a test left in by mistake may not narrow the run.
    allowOnly: false,
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
  },
});
