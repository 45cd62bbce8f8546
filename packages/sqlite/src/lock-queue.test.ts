import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LockQueue, longestWaitMs } from "./lock-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("returns synchronously while the lock is free", () => {
  expect(new LockQueue().run(() => "done")).toBe("done");
});

it("throws synchronously on an error other than a lock", () => {
  const queue = new LockQueue();
  expect(() => queue.run(() => fail("disk I/O error", 10))).toThrow("disk I/O error");
  expect(queue.run(() => "done")).toBe("done");
});

it("runs steps in the order of arrival, and a failing step does not delay the others", async () => {
  const { queue, lock, done } = queueWithLock();
  lock.taken = true;
  const first = queue.run(done("first"));
  const failing = queue.run(() => fail("constraint failed", 19));
  const settled = expect(failing).rejects.toThrow("constraint failed");
  lock.taken = false;
  const last = queue.run(done("last"));
  await vi.advanceTimersByTimeAsync(50);
  await settled;
  expect(await Promise.all([first, last])).toEqual(["first", "last"]);
  expect(queue.run(() => "synchronous again")).toBe("synchronous again");
});

it("retries only the first step of the queue, with a pause between attempts", async () => {
  const { queue, lock, done } = queueWithLock();
  lock.taken = true;
  const waiting = Array.from({ length: 100 }, (_, index) => queue.run(done(index)));
  await vi.advanceTimersByTimeAsync(1_000);
  // Pauses are 1 to 10 ms.
  expect(lock.refusals).toBeGreaterThan(50);
  expect(lock.refusals).toBeLessThan(1_001);
  lock.taken = false;
  await vi.advanceTimersByTimeAsync(200);
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

it("rejects each step after the longest wait, counted from its own arrival", async () => {
  const { queue, lock, done } = queueWithLock();
  lock.taken = true;
  const outcomes: string[] = [];
  const record = (name: string) => (error: Error) => outcomes.push(`${name}: ${error.message.split(",")[0]}`);
  Promise.resolve(queue.run(done(1))).catch(record("first"));
  Promise.resolve(queue.run(done(2))).catch(record("second"));
  await vi.advanceTimersByTimeAsync(longestWaitMs / 2);
  const late = queue.run(done("late"));
  await vi.advanceTimersByTimeAsync(longestWaitMs / 2 + 50);
  const refusal = "Another connection has locked the SQLite database for 5000 ms";
  expect(outcomes).toEqual([`first: ${refusal}`, `second: ${refusal}`]);
  lock.taken = false;
  await vi.advanceTimersByTimeAsync(50);
  expect(await late).toBe("late");
});

/** A queue, a lock that can be taken, and steps that need it. */
function queueWithLock() {
  const lock = { taken: false, refusals: 0 };
  const done =
    <T>(answer: T) =>
    (): T => {
      if (!lock.taken) return answer;
      lock.refusals++;
      // An extended code of SQLITE_BUSY: its low byte is the primary code.
      return fail("database is locked", 517);
    };
  return { queue: new LockQueue(), lock, done };
}

function fail(message: string, errcode: number): never {
  throw Object.assign(new Error(message), { errcode });
}
