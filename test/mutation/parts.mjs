const core = "packages/core/src";
const webhook = "packages/assistants/src/webhook";

/** What is mutated, by the name that MUTATE takes: a folder of sources, and the tests that are to notice. */
export const parts = {
  addresses: {
    folder: "packages/node/src/webhook/address",
    tests: ["packages/node/src/webhook/address/*.test.ts"],
  },
  templates: {
    folder: `${webhook}/template`,
    tests: [`${webhook}/template/*.test.ts`, `${webhook}/compile-webhook.test.ts`],
  },
  limits: {
    folder: `${core}/access/limits`,
    tests: [`${core}/access/limits/*.test.ts`],
  },
  money: {
    folder: `${core}/money`,
    tests: [`${core}/money/*.test.ts`],
  },
};

/** The part that MUTATE names, or the first one. (The checks load the configuration without it.) */
export function partToMutate() {
  const name = process.env["MUTATE"] ?? "addresses";
  const part = new Map(Object.entries(parts)).get(name);
  if (part === undefined)
    throw new Error(`There is no part "${name}". Set MUTATE to ${Object.keys(parts).join(", ")}.`);
  return { name, ...part };
}
