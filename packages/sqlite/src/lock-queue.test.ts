import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LockQueue, longestWaitMs } from "./lock-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("answers at once while the lock is free", () => {
  expect(new LockQueue().run(() => "done")).toBe("done");
});

it("throws at once what is no matter of locks", () => {
  const queue = new LockQueue();
  expect(() => queue.run(() => fail("disk I/O error", 10))).toThrow("disk I/O error");
  expect(queue.run(() => "done")).toBe("done");
});

it("serves in the order of arrival, and a step that fails holds up no other", async () => {
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
  expect(queue.run(() => "at once again")).toBe("at once again");
});

it("tries for the first in line alone, and not without a pause", async () => {
  const { queue, lock, done } = queueWithLock();
  lock.taken = true;
  const waiting = Array.from({ length: 100 }, (_, at) => queue.run(done(at)));
  await vi.advanceTimersByTimeAsync(1_000);
  // Pauses are 1 to 10 ms.
  expect(lock.refusals).toBeGreaterThan(50);
  expect(lock.refusals).toBeLessThan(1_001);
  lock.taken = false;
  await vi.advanceTimersByTimeAsync(200);
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 100 }, (_, at) => at));
});

it("gives up after the longest wait, each counted from its own arrival", async () => {
  const { queue, lock, done } = queueWithLock();
  lock.taken = true;
  const outcomes: string[] = [];
  const note = (name: string) => (error: Error) => outcomes.push(`${name}: ${error.message.split(",")[0]}`);
  Promise.resolve(queue.run(done(1))).catch(note("early"));
  Promise.resolve(queue.run(done(2))).catch(note("early too"));
  await vi.advanceTimersByTimeAsync(longestWaitMs / 2);
  const late = queue.run(done("late"));
  await vi.advanceTimersByTimeAsync(longestWaitMs / 2 + 50);
  const refusal = "Another connection has locked the SQLite database for 5000 ms";
  expect(outcomes).toEqual([`early: ${refusal}`, `early too: ${refusal}`]);
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
      // An extended code of SQLITE_BUSY: its low byte counts.
      return fail("database is locked", 517);
    };
  return { queue: new LockQueue(), lock, done };
}

function fail(message: string, errcode: number): never {
  throw Object.assign(new Error(message), { errcode });
}
