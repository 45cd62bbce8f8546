import type { Reservation } from "@tollgate/core/store";
import { expect, it, vi } from "vitest";
import { SettlementQueue } from "./settlement-queue.ts";

const reservation = (id: string): Reservation => ({ id, subject: "s", leaseMs: 60_000 });

it("runs each queued settlement once, in order", async () => {
  const settle = vi.fn(async (_: Reservation, __: number) => true);
  const queue = new SettlementQueue(settle);
  for (const id of ["a", "b", "a"]) queue.add(reservation(id), settle.mock.calls.length);
  queue.drain();
  queue.drain();
  await expect.poll(() => settle).toHaveBeenCalledTimes(2);
  expect(settle.mock.calls.map(([{ id }]) => id)).toEqual(["a", "b"]);
  queue.drain();
  expect(settle).toHaveBeenCalledTimes(2);
});

it("stops at a failure, and resumes with the failed settlement at the next drain", async () => {
  const results = [true, false, true, true];
  const settle = vi.fn(async (_: Reservation) => results.shift() ?? true);
  const queue = new SettlementQueue(settle);
  for (const id of ["a", "b", "c"]) queue.add(reservation(id), 0);
  queue.drain();
  await expect.poll(() => settle).toHaveBeenCalledTimes(2);
  await Promise.resolve();
  queue.drain();
  await expect.poll(() => settle).toHaveBeenCalledTimes(4);
  expect(settle.mock.calls.map(([{ id }]) => id)).toEqual(["a", "b", "b", "c"]);
});

it("queues at most 10,000 settlements", async () => {
  let settled = 0;
  const queue = new SettlementQueue(async () => {
    settled++;
    return true;
  });
  for (let id = 0; id < 20_000; id++) queue.add(reservation(String(id)), 0);
  queue.drain();
  await expect.poll(() => settled).toBe(10_000);
  queue.drain();
  expect(settled).toBe(10_000);
});

it("queues separate settlements for the place and the tokens of one reservation", async () => {
  const settle = vi.fn(async (_: Reservation, __: number) => true);
  const queue = new SettlementQueue(settle);
  const tokens = { amount: 10, window: { limit: 10, windowSeconds: 60 } };
  queue.add(reservation("a"), 10);
  queue.add({ ...reservation("a"), tokens }, 4);
  queue.drain();
  await expect.poll(() => settle.mock.calls.map(([, used]) => used)).toEqual([10, 4]);
});
