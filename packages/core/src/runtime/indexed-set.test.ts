import { fc, it } from "@fast-check/vitest";
import { expect } from "vitest";
import { IndexedSet } from "./shared-ticker.ts";

const steps = fc.array(fc.tuple(fc.constantFrom("add", "delete"), fc.nat(5)), { maxLength: 60 });

it.prop([steps])("has the items that a Set would have", (script) => {
  const items = Array.from({ length: 6 }, (_, name) => ({ name, position: -1 }));
  const indexed = new IndexedSet<(typeof items)[number]>();
  const model = new Set<(typeof items)[number]>();
  for (const [step, index] of script) {
    const item = items[index];
    if (item === undefined || (step === "add" && model.has(item))) continue;
    indexed[step](item);
    model[step](item);
    expect(new Set(indexed.snapshot())).toEqual(model);
    expect(indexed.size).toBe(model.size);
  }
});
