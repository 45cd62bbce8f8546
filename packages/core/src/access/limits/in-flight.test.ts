import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GatewayError } from "../../errors/gateway-error.ts";
import { BodyBudget } from "./body-budget.ts";
import { InFlight } from "./in-flight.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_500 }));
afterEach(() => void vi.useRealTimers());

const inFlight = (all: number, perKey: number, bodies = new BodyBudget(1_000)) => new InFlight({ all, perKey }, bodies);

function refusal(enter: () => unknown): GatewayError {
  try {
    enter();
  } catch (error) {
    if (GatewayError.is(error)) return error;
  }
  return expect.fail("The request was not refused.");
}

describe("a request", () => {
  it("is refused with 503 above the limit of all keys, and admitted once another has ended", () => {
    const requests = inFlight(2, 2);
    const slot = requests.enter("a");
    requests.enter("b");
    const error = refusal(() => requests.enter("c"));
    expect([error.code, error.message, error.details]).toEqual([
      "over_capacity",
      "This server has reached its limit of concurrent requests. Try again in a moment.",
      { retryAfterSeconds: 1 },
    ]);
    expect(requests.count).toBe(2);
    slot.release();
    requests.enter("c");
  });

  it.each([
    ["the limit of this process", undefined, 2],
    ["a lower limit of its own", 1, 1],
    ["the limit of this process, not a higher one of its own", 3, 2],
  ])("is refused with 429 above %s", (_, concurrency, most) => {
    const requests = inFlight(10, 2);
    for (let at = 0; at < most; at++) requests.enter("a", concurrency);
    const error = refusal(() => requests.enter("a", concurrency));
    expect([error.code, error.message]).toEqual([
      "rate_limit_exceeded",
      `Too many requests at the same time. The limit is ${most}. Try again in 1 s.`,
    ]);
    expect(error.details).toEqual({
      retryAfterSeconds: 1,
      headers: {
        "x-ratelimit-limit": String(most),
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": "1700000002",
      },
      metadata: { limit: "concurrency" },
    });
    requests.enter("b", concurrency);
  });

  it("is refused with 503 while draining", () => {
    const requests = inFlight(10, 10);
    expect(requests.isDraining).toBe(false);
    requests.close();
    expect(requests.isDraining).toBe(true);
    const error = refusal(() => requests.enter("a"));
    expect([error.code, error.message, error.details]).toEqual([
      "draining",
      "This server is shutting down. Send the request again.",
      { retryAfterSeconds: 1 },
    ]);
  });
});

describe("a slot", () => {
  it("that its client left still counts for all keys, and not for its own", () => {
    const requests = inFlight(2, 1);
    const left = requests.enter("a");
    left.leaveKey();
    left.leaveKey();
    requests.enter("a");
    expect(refusal(() => requests.enter("b")).code).toBe("over_capacity");
    left.release();
    left.release();
    expect(requests.count).toBe(1);
    expect(refusal(() => requests.enter("a")).code).toBe("rate_limit_exceeded");
    requests.enter("b");
  });

  it("releases its body and its place once when it ends", () => {
    const bodies = new BodyBudget(1_000);
    const requests = inFlight(10, 2, bodies);
    const [one, other] = [requests.enter("a"), requests.enter("a")];
    one.body.take(100);
    other.body.take(20);
    one.release();
    one.release();
    expect([bodies.used, other.body.use.running]).toEqual([20, 1]);
  });

  it("keeps the entry of its key while the key has other slots", () => {
    const requests = inFlight(10_000, 10_000);
    for (let key = 0; key < 1_000; key++) requests.enter(`key-${key}`);
    const [one, other] = [requests.enter("key"), requests.enter("key")];
    one.release();
    expect(requests.enter("key").body.use).toBe(other.body.use);
    one.release();
    expect(requests.enter("key").body.use).toBe(other.body.use);
    const idle = requests.enter("idle");
    idle.release();
    const next = requests.enter("idle");
    expect(next.body.use).not.toBe(idle.body.use);
    idle.release();
    expect(requests.enter("idle").body.use).toBe(next.body.use);
  });

  it("ends when its request and all of its calls have ended, in any order", () => {
    const requests = inFlight(10, 1);
    const slot = requests.enter("a");
    slot.retain();
    slot.release();
    slot.retain();
    slot.release();
    expect(requests.count).toBe(1);
    slot.release();
    slot.release();
    expect(requests.count).toBe(0);
  });

  it("calls its last abort listener when all are aborted, and none twice", () => {
    const requests = inFlight(10, 10);
    const [replaced, last] = [vi.fn(), vi.fn()];
    const [slot, silent] = [requests.enter("a"), requests.enter("a")];
    slot.onAbort({ abort: replaced });
    slot.onAbort({ abort: last });
    expect([slot.aborted, silent.aborted]).toEqual([false, false]);
    requests.abortAll();
    expect([slot.aborted, silent.aborted]).toEqual([true, true]);
    expect([replaced.mock.calls.length, last.mock.calls.length]).toEqual([0, 1]);
  });

  it("aborts slots that end while they are aborted", () => {
    const requests = inFlight(10, 10);
    const slots = [1, 2, 3].map(() => requests.enter("a"));
    for (const slot of slots) slot.onAbort({ abort: () => slot.release() });
    requests.abortAll();
    expect([requests.count, slots.map(({ aborted }) => aborted)]).toEqual([0, [true, true, true]]);
  });
});

it("is idle when no request runs, and tells all who wait once the last one ends", async () => {
  const requests = inFlight(10, 10);
  await requests.whenIdle();
  const [one, other] = [requests.enter("a"), requests.enter("b")];
  const idle = [vi.fn(), vi.fn()];
  for (const listener of idle) void requests.whenIdle().then(listener);
  one.release();
  await vi.advanceTimersByTimeAsync(0);
  expect(idle.map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  other.release();
  await vi.advanceTimersByTimeAsync(0);
  expect(idle.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});
