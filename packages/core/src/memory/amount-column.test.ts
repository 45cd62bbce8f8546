import fc from "fast-check";
import { expect, it } from "vitest";
import { AmountColumn } from "./amount-column.ts";

it("gives back what was put there last, however large, also after it has grown and the first are gone", () => {
  const most = 2n ** 63n;
  const amounts = fc.oneof(fc.bigInt(), fc.constantFrom(-most - 1n, -most, -most + 1n, most - 1n, most, 0n));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(4), amounts)), (writes) => {
      const column = new AmountColumn(5);
      const plain = [0n, 0n, 0n, 0n, 0n];
      for (const [at, amount] of writes) {
        column.set(at, amount);
        plain[at] = amount;
      }
      column.grow(8);
      expect(plain.map((_, at) => column.get(at))).toEqual(plain);
      column.dropFirst(2);
      expect(plain.slice(2).map((_, at) => column.get(at))).toEqual(plain.slice(2));
    }),
  );
});
