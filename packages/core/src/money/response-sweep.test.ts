import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { GatewayEvent } from "../ports/observer.ts";
import { Background } from "../runtime/background.ts";
import { responseSweep } from "./heartbeat.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function sweeping(expire: () => number | Promise<number> = () => 0) {
  const events: GatewayEvent[] = [];
  const store = { expire: vi.fn(expire) };
  const sweep = new Background([responseSweep(store, (event) => events.push(event), 2_000)]);
  sweep.start();
  return { sweep, events, ...store };
}

it("sweeps first after a random delay, and then every ten minutes, give or take a tenth", async () => {
  const { sweep, expire } = sweeping();
  sweep.start();
  await vi.advanceTimersByTimeAsync(299_999);
  expect(expire).not.toHaveBeenCalled();
  vi.mocked(Math.random).mockReturnValue(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(expire).toHaveBeenCalledOnce();
  vi.mocked(Math.random).mockReturnValue(1);
  await vi.advanceTimersByTimeAsync(539_999);
  expect(expire).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect(expire).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(659_999);
  expect(expire).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(expire).toHaveBeenCalledTimes(3);
});

it("repeats a sweep while entries are left", async () => {
  const left = [100, 100, 0];
  const { expire } = sweeping(() => left.shift() ?? 0);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(expire).toHaveBeenCalledTimes(3);
});

it("reports a failed sweep, and goes on", async () => {
  const { events, expire } = sweeping(() => expect.fail("connection lost"));
  await vi.advanceTimersByTimeAsync(300_000);
  expect(events).toMatchObject([
    { type: "heartbeat.failed", at: 301_000, part: "responses", cause: { message: "connection lost" } },
  ]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(expire).toHaveBeenCalledTimes(2);
});

it("stops for good, before and in the middle of a sweep", async () => {
  const early = sweeping();
  early.sweep.stop();
  early.sweep.start();
  let answer: (left: number) => void = () => undefined;
  const late = sweeping(() => new Promise((resolve) => (answer = resolve)));
  await vi.advanceTimersByTimeAsync(300_000);
  late.sweep.stop();
  answer(100);
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(1_200_000);
  expect(early.expire).not.toHaveBeenCalled();
  expect(late.expire).toHaveBeenCalledOnce();
});

it("can be stopped before it starts", () => {
  const sweep = new Background([responseSweep({ expire: () => 0 }, () => undefined, 2_000)]);
  sweep.stop();
  sweep.start();
  expect(vi.getTimerCount()).toBe(0);
});
