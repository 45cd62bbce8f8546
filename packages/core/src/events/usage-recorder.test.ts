import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GatewayEvent } from "../ports/observer.ts";
import type { UsageStore } from "../ports/usage-store.ts";
import type { Awaitable } from "../runtime/awaitable.ts";
import { UsageRecorder } from "./usage-recorder.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Refused = Extract<GatewayEvent, { readonly type: "request.refused" }>;

const refused = (id: number, endpoint = "chat.completions"): Refused => ({
  type: "request.refused",
  at: Date.now(),
  id: String(id),
  requestId: "r",
  endpoint,
  status: 402,
  code: "insufficient_balance",
  durationMs: 5,
  ending: "refused",
  keyId: "key",
  account: "acme",
  plan: "pro",
  timeline: [],
});

/** A recorder over a store whose `record` is replaced, and the batches that the store was given. */
function recording(record: UsageStore["record"] = (batch) => batch.length) {
  const batches: string[][] = [];
  const events: GatewayEvent[] = [];
  const pruned: Date[] = [];
  const store: UsageStore = {
    record: (batch) => {
      batches.push(batch.map(({ id }) => id));
      return record(batch);
    },
    summary: () => [],
    attempts: () => [],
    list: () => ({ rows: [] }),
    prune: (before) => (pruned.push(before) === 1 ? 1 : 0),
    forget: () => ({ changed: 0 }),
  };
  const recorder = new UsageRecorder({ store, retentionDays: 2 }, (event) => events.push(event));
  const take = (count: number, from = 0) => {
    for (let index = from; index < from + count; index++) recorder.take(refused(index));
  };
  return { recorder, take, batches, events, pruned };
}

const down = (): never => {
  throw new Error("gone");
};

describe("the recorder of usage", () => {
  it("sends what has come in a second as one batch", async () => {
    const { take, batches, recorder } = recording();
    take(2);
    await vi.advanceTimersByTimeAsync(999);
    expect(batches).toEqual([]);
    expect(recorder.pending).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(batches).toEqual([["0", "1"]]);
    expect(recorder.pending).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(batches).toHaveLength(1);
  });

  it("sends 500 rows at once, but never on the path of a request", async () => {
    const { take, batches } = recording();
    take(1_200);
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(10);
    expect(batches.map(({ length }) => length)).toEqual([500, 500]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(batches.map(({ length }) => length)).toEqual([500, 500, 200]);
  });

  it("ignores other events, other endpoints, and requests without a key", async () => {
    const { recorder, batches } = recording();
    const { keyId: _, ...unknown } = refused(1);
    recorder.take(unknown);
    recorder.take(refused(2, "models"));
    recorder.take({ type: "request.started", at: 0, requestId: "r", endpoint: "chat.completions" });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(batches).toEqual([]);
  });

  it.each<[string, () => Awaitable<number>]>([
    ["throws", down],
    ["rejects", () => Promise.reject(new Error("gone"))],
  ])("repeats a batch with growing pauses while the store %s", async (_, fail) => {
    let isDown = true;
    const { take, batches, events, recorder } = recording((batch) => (isDown ? fail() : batch.length));
    take(1);
    await vi.advanceTimersByTimeAsync(1_000);
    take(600, 1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(batches.length).toBeGreaterThan(5);
    expect(batches.length).toBeLessThan(20);
    expect(new Set(batches.map(String))).toEqual(new Set(["0"]));
    expect(events[0]).toMatchObject({ type: "usage.delayed", part: "record", waiting: 1, cause: { message: "gone" } });
    isDown = false;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(recorder.pending).toBe(0);
    expect(batches.slice(-3).map(({ length }) => length)).toEqual([1, 500, 100]);
  });

  it("repeats a call that does not settle in 30 s", async () => {
    const { take, batches, events } = recording(() => new Promise(() => undefined));
    take(1_000);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(batches).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(batches.map(({ length }) => length)).toEqual([500, 500]);
    expect(events).toMatchObject([
      { type: "usage.delayed", waiting: 1_000, cause: { message: "no answer in 30000 ms" } },
    ]);
  });

  it("drops the oldest of more than 100,000 rows, and says so", async () => {
    const { recorder, take, batches, events } = recording(down);
    take(100_000);
    expect([recorder.pending, recorder.dropped]).toEqual([100_000, 0]);
    take(2, 100_000);
    expect([recorder.pending, recorder.dropped]).toEqual([99_502, 500]);
    expect(events).toMatchObject([{ type: "usage.dropped", count: 500 }]);
    await vi.advanceTimersByTimeAsync(10);
    expect(batches[0]?.[0]).toBe("500");
  });

  it("flushes at once, during the pause after a failure as well", async () => {
    let isDown = true;
    const { recorder, take, batches } = recording((batch) => (isDown ? down() : batch.length));
    await recorder.flush();
    take(700);
    await vi.advanceTimersByTimeAsync(20_000);
    isDown = false;
    const before = batches.length;
    const flushed = recorder.flush();
    await vi.advanceTimersByTimeAsync(1);
    await flushed;
    expect(batches.slice(before).map(({ length }) => length)).toEqual([500, 200]);
    expect(recorder.pending).toBe(0);
  });

  it("removes old rows daily, in several calls, until it is stopped", async () => {
    const { recorder, take, pruned } = recording();
    take(1);
    await vi.advanceTimersByTimeAsync(600_000);
    const dayMs = 86_400_000;
    expect(pruned[0]?.getTime()).toBe(Date.now() - 2 * dayMs);
    await vi.advanceTimersByTimeAsync(100);
    expect(pruned).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(dayMs + 600_000);
    expect(pruned).toHaveLength(3);
    recorder.stop();
    await vi.advanceTimersByTimeAsync(2 * dayMs);
    expect(pruned).toHaveLength(3);
  });
});
