import { defineConfig } from "vitest/config";
import { partToMutate } from "./parts.mjs";

const conditions = ["@tollgate/source"];

/** The tests of the part that is mutated, all in one process. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["test/mutation/sources-load.ts", ...partToMutate().tests],
    exclude: ["**/node_modules/**", "**/*.property.test.ts"],
    setupFiles: ["test/mutation/report-coverage.ts"],
    isolate: false,
    maxWorkers: 1,
    testTimeout: 10_000,
  },
});
