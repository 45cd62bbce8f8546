import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountToHold, leastToHold } from "./hold-amount.ts";

const amounts = fc.array(fc.bigInt(0n, 10_000n), { minLength: 3, maxLength: 3 }).map((three) => {
  const [least = 0n, floor = 0n, amount = 0n] = three.sort((a, b) => Number(a - b));
  return { amount, flexible: { least, floor } };
});

describe("amountToHold", () => {
  it("is the amount of a hold that is not flexible", () => {
    expect(amountToHold({ amount: 7n }, 100n)).toBe(7n);
    expect(leastToHold({ amount: 7n })).toBe(7n);
  });

  it("is between the least and the amount, and never more than what is left", () => {
    fc.assert(
      fc.property(amounts, fc.bigInt(0n, 20_000n), (asked, more) => {
        const left = leastToHold(asked) + more;
        const held = amountToHold(asked, left);
        expect(held >= asked.flexible.least && held <= asked.amount && held <= left).toBe(true);
      }),
    );
  });

  it("leaves three quarters to others, unless the floor is more", () => {
    const flexible = { least: 1n, floor: 10n };
    expect(amountToHold({ amount: 1_000n, flexible }, 403n)).toBe(100n);
    expect(amountToHold({ amount: 1_000n, flexible }, 30n)).toBe(10n);
    expect(amountToHold({ amount: 1_000n, flexible }, 8n)).toBe(8n);
    expect(amountToHold({ amount: 50n, flexible }, 403n)).toBe(50n);
  });
});
