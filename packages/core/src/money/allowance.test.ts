import { describe, expect, it } from "vitest";
import type { AccountBalance } from "../ports/balance-store.ts";
import { grantAt, maxExpiring, withGrant } from "./allowance.ts";

const at = (text: string): number => Date.parse(text);

describe("the grant of an allowance", () => {
  it.each([
    ["day", undefined, "2026-03-10T00:00:00.000Z", "2026-03-11T00:00:00.000Z"],
    ["week", undefined, "2026-03-09T00:00:00.000Z", "2026-03-16T00:00:00.000Z"],
    ["month", undefined, "2026-03-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z"],
    ["month", "Europe/Berlin", "2026-02-28T23:00:00.000Z", "2026-03-31T22:00:00.000Z"],
  ] as const)(
    "of a %s in the zone %s has the start of its window, and ends with it",
    (window, timezone, start, end) => {
      const allowance = { amount: 5n, window, ...(timezone === undefined ? {} : { timezone }) };
      expect(grantAt(allowance, at("2026-03-10T12:00:00Z"))).toEqual({
        lot: `allowance:${window}:${start}`,
        expiresAt: at(end),
      });
    },
  );
});

describe("a balance with a grant", () => {
  const balance: AccountBalance = {
    posted: 10n,
    held: 4n,
    available: 6n,
    expiring: [
      { amount: 1n, expiresAt: new Date(1_000) },
      { amount: 2n, expiresAt: new Date(3_000) },
    ],
    totals: { credited: 10n, used: 0n },
  };

  it("has its amount, which expires in its place", () => {
    expect(withGrant(balance, 5n, 2_000)).toEqual({
      posted: 15n,
      held: 4n,
      available: 11n,
      expiring: [balance.expiring[0], { amount: 5n, expiresAt: new Date(2_000) }, balance.expiring[1]],
      totals: { credited: 15n, used: 0n },
    });
    expect(withGrant(balance, 5n, 9_000).expiring.at(-1)).toEqual({ amount: 5n, expiresAt: new Date(9_000) });
  });

  it("pays a negative balance first", () => {
    const negative = { ...balance, posted: -8n, available: -12n };
    expect(withGrant(negative, 10n, 9_000)).toMatchObject({ posted: 2n, available: -2n });
    expect(withGrant(negative, 10n, 9_000).expiring.at(-1)?.amount).toBe(2n);
    expect(withGrant(negative, 8n, 9_000).expiring).toEqual(balance.expiring);
  });

  it("lists no more than its maximum", () => {
    const expiring = Array.from({ length: maxExpiring }, () => ({ amount: 1n, expiresAt: new Date(5_000) }));
    const { expiring: listed } = withGrant({ ...balance, expiring }, 5n, 2_000);
    expect([listed.length, listed[0]?.amount]).toEqual([maxExpiring, 5n]);
  });
});
