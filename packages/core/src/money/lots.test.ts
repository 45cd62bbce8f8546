import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LotShare } from "../ports/ledger-entry.ts";
import { amountToLapse, compareLots, type Lot, paidLeft, returnToLots, roomForLots, takeFromLots } from "./lots.ts";

const now = Date.UTC(2026, 0, 15);
const inDays = (days: number): Date => new Date(now + days * 86_400_000);

const lot = (id: string, rest: bigint, more: Partial<Lot> = {}): Lot => ({
  id,
  kind: "granted",
  expiresAt: undefined,
  sequence: 1n,
  rest,
  ...more,
});

const sharesOf = (shares: readonly LotShare[]) => shares.map(({ lot: id, amount }) => [id, amount]);

describe("lots", () => {
  it("pay by the time at which they expire, and then by age", () => {
    const lots = [
      lot("second", 1n, { sequence: 2n }),
      lot("first", 1n),
      lot("later", 1n, { expiresAt: inDays(2), sequence: 3n }),
      lot("soon, but younger", 1n, { expiresAt: inDays(1), sequence: 5n, kind: "paid" }),
      lot("soon", 1n, { expiresAt: inDays(1), sequence: 4n }),
    ];
    const order = ["soon", "soon, but younger", "later", "first", "second"];
    expect(lots.sort(compareLots).map(({ id }) => id)).toEqual(order);
  });

  it("pay until the amount is taken, and leave the rest to paid money", () => {
    const lots = [lot("a", 10n), lot("empty", 0n), lot("b", 10n)];
    expect(sharesOf(takeFromLots(lots, 15n))).toEqual([
      ["a", 10n],
      ["b", 5n],
    ]);
    expect(sharesOf(takeFromLots(lots, 50n))).toEqual([
      ["a", 10n],
      ["b", 10n],
    ]);
    expect(takeFromLots(lots, 0n)).toEqual([]);
  });

  it("leave as paid what is neither granted nor below zero", () => {
    const lots = [lot("granted", 10n), lot("paid", 5n, { kind: "paid" })];
    expect([30n, 10n, -5n].map((posted) => paidLeft(posted, lots))).toEqual([20n, 0n, 0n]);
  });

  it("expire but for what pending holds need", () => {
    expect(amountToLapse(lot("a", 50n), 100n, 0n)).toBe(50n);
    expect(amountToLapse(lot("a", 50n), 100n, 80n)).toBe(20n);
    expect(amountToLapse(lot("a", 50n), 100n, 120n)).toBe(0n);
  });
});

describe("a return", () => {
  const taken = [
    { lot: "first", kind: "granted", amount: 10n, expiresAt: inDays(1) },
    { lot: "second", kind: "granted", amount: 10n },
  ] as const satisfies LotShare[];
  /** A charge of 30, of which 10 were paid money. */
  const charge = { sequence: 7n, amount: -30n, lots: taken };
  const plain = { charge, before: 0n, room: 1_000n, now, by: "refund" } as const;

  it("goes to paid money first, and then to the lots, the last one that paid first", () => {
    expect(returnToLots({ ...plain, amount: 10n })).toEqual([]);
    expect(sharesOf(returnToLots({ ...plain, amount: 15n }))).toEqual([["second", 5n]]);
    expect(sharesOf(returnToLots({ ...plain, amount: 30n }))).toEqual([
      ["second", 10n],
      ["first", 10n],
    ]);
  });

  it("goes on where an earlier one has ended", () => {
    expect(sharesOf(returnToLots({ ...plain, before: 15n, amount: 10n }))).toEqual([
      ["second", 5n],
      ["first", 5n],
    ]);
  });

  it("grants for 7 days what came from lots whose time has passed", () => {
    const later = now + 2 * 86_400_000;
    expect(returnToLots({ ...plain, amount: 30n, now: later, by: "late" })).toEqual([
      { lot: "second", kind: "granted", amount: 10n },
      { lot: "late:7", kind: "granted", amount: 10n, expiresAt: new Date(later + 7 * 86_400_000) },
    ]);
  });

  it("gives the lots no more than a negative balance leaves", () => {
    expect(roomForLots(12n, [lot("other", 5n)])).toBe(7n);
    expect(roomForLots(-1n, [])).toBe(0n);
    expect(sharesOf(returnToLots({ ...plain, amount: 30n, room: 12n }))).toEqual([
      ["second", 10n],
      ["first", 2n],
    ]);
  });

  it("in parts gives each lot what one whole return gives it", () => {
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 20n }), { maxLength: 5 });
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 100n }), (of, paid, upTo) => {
        const lots = of.filter((amount) => amount > 0n).map((amount, at) => ({ ...taken[1], lot: `${at}`, amount }));
        const cost = of.reduce((sum, amount) => sum + amount, paid);
        const some = { ...plain, charge: { sequence: 7n, amount: -cost, lots } };
        const first = upTo % (cost + 1n);
        const parts = [
          ...returnToLots({ ...some, amount: first }),
          ...returnToLots({ ...some, before: first, amount: cost - first }),
        ];
        const sums = new Map<string, bigint>();
        for (const { lot: id, amount } of parts) sums.set(id, (sums.get(id) ?? 0n) + amount);
        expect([...sums]).toEqual(sharesOf(lots.toReversed()));
      }),
    );
  });
});
