const template = "packages/core/src/assistants/webhook/template";

/** What is mutated, by the name that MUTATE takes: its sources, and the tests that are to notice. */
export const parts = {
  money: {
    sources: ["packages/core/src/money/*.ts", "!**/*.test.ts"],
    tests: [
      "packages/core/src/money/*.test.ts",
      "test/router/{charges,endings,spend-limits,reported-usage,leaving-early,end-events}.test.ts",
      "test/contract/memory*.test.ts",
    ],
  },
  limits: {
    sources: ["packages/core/src/limits/*.ts", "!**/*.test.ts"],
    tests: ["packages/core/src/limits/*.test.ts", "packages/core/src/memory/**/*.test.ts", "test/router/*.test.ts"],
  },
  templates: {
    sources: [`${template}/*.ts`, "!**/*.test.ts"],
    tests: [`${template}/*.test.ts`, "packages/core/src/assistants/webhook/**/*.test.ts"],
  },
  addresses: {
    sources: ["packages/node/src/webhook/address/*.ts", "!**/*.test.ts"],
    tests: ["packages/node/src/webhook/address/*.test.ts"],
  },
};
