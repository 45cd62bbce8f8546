import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@tollgate/source"] },
  ssr: { resolve: { conditions: ["@tollgate/source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    testTimeout: 20_000,
    maxWorkers: 2,
  },
});
