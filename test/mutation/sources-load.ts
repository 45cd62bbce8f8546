// Named so that the project "integration" does not run it.
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { partToMutate } from "./parts.mjs";

const { folder } = partToMutate();
const sources = readdirSync(folder).filter((name) => !name.endsWith(".test.ts"));
// Here and not in the test, because Stryker must see that this code runs before all tests.
const loaded = await Promise.allSettled(sources.map((name) => import(resolve(folder, name))));

// A test file that does not load is no failed test for Stryker, so a mutant that throws while it is imported would survive.
it("loads every source of the part", () => {
  expect(loaded.filter(({ status }) => status === "rejected")).toEqual([]);
});
