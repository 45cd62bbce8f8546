import { defineConfig } from "vitest/config";
import { parts } from "./parts.mjs";

const conditions = ["@tollgate/source"];
const part = new Map(Object.entries(parts)).get(process.env["MUTATE"] ?? "money");

/** The tests of the part that is mutated, all in one process. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: part?.tests ?? [], exclude: ["**/node_modules/**"], testTimeout: 20_000 },
});
