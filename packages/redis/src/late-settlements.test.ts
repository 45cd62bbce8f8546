import type { Reservation } from "@tollgate/core/store";
import { expect, it, vi } from "vitest";
import { LateSettlements } from "./late-settlements.ts";

const reservation = (id: string): Reservation => ({ id, subject: "s", leaseMs: 60_000 });

it("makes each waiting settlement once, in the order in which they came", async () => {
  const settle = vi.fn(async (_: Reservation, __: number) => true);
  const late = new LateSettlements(settle);
  for (const id of ["a", "b", "a"]) late.add(reservation(id), settle.mock.calls.length);
  late.drain();
  late.drain();
  await vi.waitFor(() => expect(settle).toHaveBeenCalledTimes(2));
  expect(settle.mock.calls.map(([{ id }]) => id)).toEqual(["a", "b"]);
  late.drain();
  expect(settle).toHaveBeenCalledTimes(2);
});

it("stops when one fails, and goes on with it the next time", async () => {
  const answers = [true, false, true, true];
  const settle = vi.fn(async (_: Reservation) => answers.shift() ?? true);
  const late = new LateSettlements(settle);
  for (const id of ["a", "b", "c"]) late.add(reservation(id), 0);
  late.drain();
  await vi.waitFor(() => expect(settle).toHaveBeenCalledTimes(2));
  await Promise.resolve();
  late.drain();
  await vi.waitFor(() => expect(settle).toHaveBeenCalledTimes(4));
  expect(settle.mock.calls.map(([{ id }]) => id)).toEqual(["a", "b", "b", "c"]);
});

it("keeps ten thousand and no more", async () => {
  let settled = 0;
  const late = new LateSettlements(async () => {
    settled++;
    return true;
  });
  for (let id = 0; id < 20_000; id++) late.add(reservation(String(id)), 0);
  late.drain();
  await vi.waitFor(() => expect(settled).toBe(10_000));
  late.drain();
  expect(settled).toBe(10_000);
});

it("keeps the place and the tokens of one reservation, which are settled apart", async () => {
  const settle = vi.fn(async (_: Reservation, __: number) => true);
  const late = new LateSettlements(settle);
  const tokens = { amount: 10, window: { limit: 10, windowSeconds: 60 } };
  late.add(reservation("a"), 10);
  late.add({ ...reservation("a"), tokens }, 4);
  late.drain();
  await vi.waitFor(() => expect(settle.mock.calls.map(([, used]) => used)).toEqual([10, 4]));
});
