import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chargeReceipt } from "../../test-support/receipts.ts";
import { memoryBalanceStore } from "../memory/memory-balance-store.ts";
import { memoryLimiter } from "../memory/memory-limiter.ts";
import type { BalanceStore } from "../ports/balance-store.ts";
import type { Limiter } from "../ports/limiter.ts";
import type { GatewayEvent } from "../ports/observer.ts";
import { Background } from "../runtime/background.ts";
import { Heartbeat, RunningHolds } from "./heartbeat.ts";
import { HoldEnd } from "./settlements.ts";

beforeEach(() => {
  vi.useFakeTimers();
  // The first beat after half a period, each next one after a whole.
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A started heartbeat of one running hold, which counts its calls of the stores. */
function beating(balances: Partial<BalanceStore> = {}, limiter: Partial<Limiter> = {}) {
  const events: GatewayEvent[] = [];
  const store = {
    renew: vi.fn<BalanceStore["renew"]>((renewals) => renewals.map(({ id }) => id)),
    expire: vi.fn<BalanceStore["expire"]>(() => 0),
    ...balances,
  };
  const holds = new RunningHolds(
    Object.assign(memoryBalanceStore(), store),
    Object.assign(memoryLimiter(), limiter),
    60_000,
    () => undefined,
  );
  holds.add(new HoldEnd({ id: "hold-1", account: "anna" }, 7n, chargeReceipt));
  const balanceStore = Object.assign(memoryBalanceStore(), store);
  const work = new Heartbeat(holds, balanceStore, (event) => events.push(event), 15_000, 2_000);
  const heartbeat = new Background([work]);
  heartbeat.start();
  return { ...store, heartbeat, events, holds };
}

const hang = () => new Promise<never>(() => undefined);
const fail = () => {
  throw new Error("connection lost");
};

it("beats first after a random delay, and then about every 15 s", async () => {
  const { renew, expire, events } = beating();
  await vi.advanceTimersByTimeAsync(7_499);
  expect(renew).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(renew).toHaveBeenCalledOnce();
  vi.mocked(Math.random).mockReturnValue(0);
  await vi.advanceTimersByTimeAsync(15_000 + 13_500);
  expect(renew).toHaveBeenCalledTimes(3);
  vi.mocked(Math.random).mockReturnValue(0.999);
  await vi.advanceTimersByTimeAsync(13_500 + 16_500);
  expect(renew).toHaveBeenCalledTimes(5);
  expect(expire).toHaveBeenCalledTimes(5);
  expect(events).toEqual([]);
});

it("starts no beat while another is running, and times out a store that does not answer", async () => {
  let [running, most] = [0, 0];
  const { renew, events } = beating({
    renew: vi.fn(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1_999));
      running--;
      return hang();
    }),
  });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(most).toBe(1);
  expect(vi.mocked(renew).mock.calls.length).toBeGreaterThan(10);
  expect(events[0]).toMatchObject({ type: "heartbeat.failed", part: "renew" });
});

const failures: readonly (readonly [string, Partial<BalanceStore>])[] = [
  ["renew", { renew: fail }],
  ["sweep", { expire: fail }],
  ["sweep", { expire: () => Number.NaN }],
];

it.each(failures)("reports a failed %s, and repeats the beat before the leases expire", async (part, verbs) => {
  const { events } = beating(verbs);
  await vi.advanceTimersByTimeAsync(45_000);
  expect(events.length).toBeGreaterThanOrEqual(6);
  expect(events[0]).toMatchObject({ type: "heartbeat.failed", part, cause: expect.any(Error) });
});

it("reports reservations that could not be renewed, and beats after a quarter of the time", async () => {
  const renewPlaces = vi.fn<Limiter["renew"]>(async () => fail());
  const { events, holds } = beating({}, { renew: renewPlaces });
  const reservation = { id: "1", subject: "key", leaseMs: 60_000 };
  holds.add(Object.assign(new HoldEnd({ id: "hold-2", account: "anna" }, 7n, chargeReceipt), { reservation }));
  await vi.advanceTimersByTimeAsync(7_500);
  expect(events).toEqual([
    {
      type: "heartbeat.failed",
      at: Date.now(),
      part: "limits",
      cause: expect.objectContaining({ message: "connection lost" }),
    },
  ]);
  await vi.advanceTimersByTimeAsync(3_749);
  expect(renewPlaces).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect(renewPlaces).toHaveBeenCalledTimes(2);
});

it("beats after a quarter of the time when only the sweep fails", async () => {
  const { renew } = beating({ expire: fail });
  await vi.advanceTimersByTimeAsync(7_500 + 3_749);
  expect(renew).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect(renew).toHaveBeenCalledTimes(2);
});

it("names the method of the store that returned something else", async () => {
  const { events } = beating({ renew: () => JSON.parse("null"), expire: () => Number.NaN });
  await vi.advanceTimersByTimeAsync(7_500);
  expect(events.map((event) => "cause" in event && event.cause)).toMatchObject([
    { message: "`renew` of the balance store must return the ids that it renewed." },
    { message: "`expire` of the balance store must return a number." },
  ]);
});

it("can be stopped before it starts", () => {
  const holds = new RunningHolds(memoryBalanceStore(), memoryLimiter(), 60_000, () => undefined);
  const work = new Heartbeat(holds, memoryBalanceStore(), () => undefined, 15_000, 2_000);
  const heartbeat = new Background([work]);
  heartbeat.start();
  expect(vi.getTimerCount()).toBe(1);
  heartbeat.stop();
  const unstarted = new Background([work]);
  unstarted.stop();
  unstarted.start();
  expect(vi.getTimerCount()).toBe(0);
});

it("sweeps even if no hold could be renewed", async () => {
  const { expire } = beating({ renew: hang });
  await vi.advanceTimersByTimeAsync(17_000);
  expect(expire).toHaveBeenCalled();
});

it("reports the message of a failure without the members that database clients add", async () => {
  const { events } = beating({
    renew: () => {
      throw Object.assign(new Error("deadlock detected"), { parameters: ["hunter2"] });
    },
  });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(events[0]).toMatchObject({ cause: { message: "deadlock detected" } });
  expect(events[0]).not.toHaveProperty("cause.parameters");
});

describe("a sweep", () => {
  it("repeats while there is a backlog", async () => {
    const batches = [200, 200, 17, 0];
    const { expire } = beating({ expire: vi.fn(() => batches.shift() ?? 0) });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(expire).toHaveBeenCalledTimes(4);
  });

  it("makes at most 20 calls in a beat, and a slow one delays no renewal", async () => {
    const endless = beating({ expire: vi.fn(() => 200) });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(endless.expire).toHaveBeenCalledTimes(20);
    await vi.advanceTimersByTimeAsync(7_499);
    expect(endless.renew).toHaveBeenCalledOnce();
    endless.heartbeat.stop();
    const slow = beating({ expire: () => new Promise((resolve) => setTimeout(() => resolve(200), 1_900)) });
    await vi.advanceTimersByTimeAsync(15_000 + 60_000);
    expect(vi.mocked(slow.renew).mock.calls.length).toBeGreaterThanOrEqual(3);
  });
});

it.each([
  ["at the end of a quarter of the time", 1_875, 3],
  ["not after it", 1_876, 2],
])("begins a sweep %s", async (_, durationMs, sweeps) => {
  const expire = vi.fn(() => new Promise<number>((resolve) => setTimeout(() => resolve(1), durationMs)));
  beating({ expire });
  await vi.advanceTimersByTimeAsync(7_500 + 14_000);
  expect(expire).toHaveBeenCalledTimes(sweeps);
});

it("stops for good, also in the middle of a beat", async () => {
  let answer: () => void = () => undefined;
  const stopped = beating({ renew: vi.fn(() => new Promise<string[]>((resolve) => (answer = () => resolve([])))) });
  await vi.advanceTimersToNextTimerAsync();
  stopped.heartbeat.stop();
  answer();
  stopped.heartbeat.start();
  await vi.advanceTimersByTimeAsync(150_000);
  expect(stopped.renew).toHaveBeenCalledOnce();
});

it("does not keep the process alive", () => {
  vi.useRealTimers();
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const before = timers();
  const { heartbeat } = beating();
  expect(timers()).toBe(before);
  heartbeat.stop();
});
