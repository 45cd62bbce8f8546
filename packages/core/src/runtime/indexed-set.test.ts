import { fc, it } from "@fast-check/vitest";
import { expect } from "vitest";
import { IndexedSet } from "./indexed-set.ts";

const steps = fc.array(fc.tuple(fc.constantFrom("add", "delete"), fc.nat(5)), { maxLength: 60 });

it.prop([steps])("lists what a Set would", (script) => {
  const items = Array.from({ length: 6 }, (_, name) => ({ name, position: -1 }));
  const roster = new IndexedSet<(typeof items)[number]>();
  const model = new Set<(typeof items)[number]>();
  for (const [step, index] of script) {
    const item = items[index];
    if (item === undefined || (step === "add" && model.has(item))) continue;
    roster[step](item);
    model[step](item);
    expect(new Set(roster.snapshot())).toEqual(model);
    expect(roster.size).toBe(model.size);
  }
});
