import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { runAfterPoll } from "./upstream-body.ts";

it("runs the callbacks of one iteration together and in order, and those added meanwhile in the next iteration", async () => {
  const done: string[] = [];
  runAfterPoll(() => {
    done.push("first");
    runAfterPoll(() => done.push("later"));
  });
  runAfterPoll(() => done.push("second"));
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual(["first", "second"]);
  await nextTurn();
  expect(done).toEqual(["first", "second", "later"]);
});

it("runs the remaining callbacks when one throws", async () => {
  const uncaught = vi.fn();
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException").once("uncaughtException", uncaught);
  const done: string[] = [];
  runAfterPoll(() => {
    throw new Error("a bug");
  });
  runAfterPoll(() => done.push("second"));
  await nextTurn();
  await nextTurn();
  for (const other of others) process.on("uncaughtException", other);
  expect(uncaught).toHaveBeenCalledOnce();
  expect(done).toEqual(["second"]);
});
