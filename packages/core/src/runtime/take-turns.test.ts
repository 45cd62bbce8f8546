import { describe, expect, it } from "vitest";
import { startNow, takeTurns } from "./take-turns.ts";

function* work(name: string, steps: number, done: string[]): Generator<undefined, string> {
  for (let step = 1; step <= steps; step++) {
    done.push(`${name}${step}`);
    if (step < steps) yield;
  }
  return name;
}

describe("takeTurns", () => {
  it("runs one step per turn of the event loop, and alternates between tasks", async () => {
    const done: string[] = [];
    let turns = 0;
    const watch = setInterval(() => turns++);
    const results = await Promise.all([
      takeTurns(work("a", 30, done)),
      takeTurns(work("b", 2, done)),
      takeTurns(work("c", 30, done)),
    ]);
    clearInterval(watch);
    expect(results).toEqual(["a", "b", "c"]);
    expect(done.slice(0, 8)).toEqual(["a1", "b1", "c1", "a2", "b2", "c2", "a3", "c3"]);
    expect(done).toHaveLength(62);
    expect(turns).toBeGreaterThan(10);
  });

  it("lets others run between two tasks, also if what follows the first one takes long", async () => {
    const order: string[] = [];
    const one = takeTurns(work("a", 1, [])).then(() => {
      setImmediate(() => order.push("others"));
      const until = performance.now() + 5;
      while (performance.now() < until);
      // Moves the clock of the event loop on, by which the next task is due.
      setTimeout(() => undefined);
    });
    await Promise.all([one, takeTurns(work("b", 1, order))]);
    expect(order).toEqual(["others", "b1"]);
  });

  it("rejects with the error of a task, and continues with the others", async () => {
    const done: string[] = [];
    function* failing(): Generator<undefined, never> {
      yield;
      throw new Error("broken");
    }
    const both = Promise.allSettled([takeTurns(failing()), takeTurns(work("a", 3, done))]);
    expect(await both).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: "a" }]);
    expect(await takeTurns(work("b", 2, done))).toBe("b");
  });
});

describe("startNow", () => {
  it("returns at once what work of one step returns, and takes turns with the rest of longer work", async () => {
    const done: string[] = [];
    expect(startNow(work("a", 1, done))).toBe("a");
    const longer = startNow(work("b", 3, done));
    expect(done).toEqual(["a1", "b1"]);
    expect(await longer).toBe("b");
    expect(done).toEqual(["a1", "b1", "b2", "b3"]);
  });
});
