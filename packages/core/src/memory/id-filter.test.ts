import fc from "fast-check";
import { expect, it } from "vitest";
import { uuid } from "../wire/uuid.ts";
import { IdFilter } from "./id-filter.ts";

it("knows every id that was added", () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.array(fc.string()), (room, ids) => {
      const filter = new IdFilter(room);
      for (const id of ids) filter.add(id);
      expect(ids.filter((id) => !filter.mayHave(id))).toEqual([]);
    }),
  );
});

it.each([
  ["random", () => uuid()],
  ["counted", (count: number) => `order-2026-11-22-${count}`],
])("tells most %s ids that were not added, when as many were as it has room for", (_, id) => {
  const filter = new IdFilter(10_000);
  for (let count = 0; count < 10_000; count++) filter.add(id(count));
  let passed = 0;
  for (let count = 10_000; count < 20_000; count++) if (filter.mayHave(id(count))) passed += 1;
  expect(passed).toBeLessThan(2_500);
});
