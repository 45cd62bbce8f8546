import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { memoryBalanceStore } from "../memory/memory-balance-store.ts";
import { memoryLimiter } from "../memory/memory-limiter.ts";
import type { BalanceStore, HoldReference, Renewal } from "../ports/balance-store.ts";
import type { Reservation } from "../ports/limiter.ts";
import { type RunningHold, RunningHolds } from "./heartbeat.ts";

/** Holds whose store answers a renewal as the test decides. */
function renewing(renew: BalanceStore["renew"]) {
  const lost: string[] = [];
  const balances = Object.assign(memoryBalanceStore(), { renew });
  const holds = new RunningHolds(balances, memoryLimiter(), 60_000, (holdId) => lost.push(holdId));
  return { holds, lost };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ids = (renewals: readonly Renewal[]) => renewals.map(({ id }) => id);

it("renews all holds in one call, each with its cost, and none that was deleted", async () => {
  const renew = vi.fn<BalanceStore["renew"]>(ids);
  const { holds } = renewing(renew);
  await holds.renewHolds();
  const gone = new Run("gone", 1n);
  for (const hold of [new Run("one", 7n), new Run(undefined), new Run("two", 9n), gone]) holds.add(hold);
  holds.delete(gone);
  await holds.renewHolds();
  const renewals = [
    { id: "one", account: "anna", used: 7n },
    { id: "two", account: "anna", used: 9n },
  ];
  expect(renew).toHaveBeenCalledExactlyOnceWith(renewals, 60_000);
});

it("reports a hold once that was not renewed during its lease, and keeps renewing it", async () => {
  const renew = vi.fn<BalanceStore["renew"]>(() => ["kept"]);
  const { holds, lost } = renewing(renew);
  for (const id of ["kept", "lost"]) holds.add(new Run(id));
  for (let beat = 0; beat < 4; beat++) {
    expect(lost).toEqual([]);
    vi.advanceTimersByTime(15_000);
    await holds.renewHolds();
  }
  expect(lost).toEqual(["lost"]);
  vi.advanceTimersByTime(150_000);
  await holds.renewHolds();
  expect(lost).toEqual(["lost"]);
  expect(renew.mock.lastCall?.[0]).toHaveLength(2);
});

it("does not report a hold that the store skipped during its lease, as it does a locked one", async () => {
  const answers = [["one"], [], ["one"], [], ["one"]];
  const { holds, lost } = renewing(() => answers.shift() ?? []);
  holds.add(new Run("one"));
  while (answers.length > 0) {
    vi.advanceTimersByTime(40_000);
    await holds.renewHolds();
  }
  expect(lost).toEqual([]);
});

it("does not report a hold that was added or began to end while the store answered", async () => {
  const ending = new Run("ending");
  const { holds, lost } = renewing(async () => {
    vi.advanceTimersByTime(60_000);
    holds.add(new Run("added"));
    ending.ending = true;
    return [];
  });
  holds.add(ending);
  await holds.renewHolds();
  expect(lost).toEqual([]);
});

it("reports no hold when the answer of the store is invalid", async () => {
  const { holds, lost } = renewing(() => JSON.parse("null"));
  holds.add(new Run("one"));
  vi.advanceTimersByTime(60_000);
  await expect(holds.renewHolds()).rejects.toThrow("renew");
  expect(lost).toEqual([]);
});

it("counts those that hold money", () => {
  const { holds } = renewing(ids);
  expect(holds.count).toBe(0);
  for (const hold of [new Run("one"), new Run(undefined), new Run("two")]) holds.add(hold);
  expect(holds.count).toBe(2);
});

it("renews the reservations of those that have one", async () => {
  const limiter = memoryLimiter();
  const renewed: (readonly Reservation[])[] = [];
  const holds = new RunningHolds(
    memoryBalanceStore(),
    Object.assign(limiter, { renew: (places: readonly Reservation[]) => void renewed.push(places) }),
    60_000,
    () => undefined,
  );
  await holds.renewPlaces();
  const place = { id: "place", subject: "key", leaseMs: 60_000 };
  for (const hold of [new Run("one"), new Run(undefined, 0n, place)]) holds.add(hold);
  await holds.renewPlaces();
  expect(renewed).toEqual([[place]]);
});

class Run implements RunningHold {
  position = -1;
  leasedAt = performance.now();
  ending = false;
  readonly #cost: bigint;

  readonly hold: HoldReference | undefined;

  constructor(
    id: string | undefined,
    cost = 0n,
    readonly reservation: Reservation | undefined = undefined,
  ) {
    this.hold = id === undefined ? undefined : { id, account: "anna" };
    this.#cost = cost;
  }

  used(): bigint {
    return this.#cost;
  }
}
