import { describe, expect, it } from "vitest";
import { SessionQueues } from "./session-merges.ts";

describe("session queues", () => {
  it("run the tasks of one session in sequence and those of different sessions in parallel", async () => {
    const queues = new SessionQueues();
    const events: string[] = [];
    const task = (name: string) => async () => {
      events.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      events.push(`${name} ends`);
      return name;
    };
    const answers = await Promise.all([
      queues.run("one", task("a")),
      queues.run("one", task("b")),
      queues.run("two", task("c")),
    ]);
    expect(answers).toEqual(["a", "b", "c"]);
    expect(events.indexOf("b begins")).toBeGreaterThan(events.indexOf("a ends"));
    expect(events.indexOf("c begins")).toBeLessThan(events.indexOf("a ends"));
  });

  it("continue after a task that failed, and reject only its promise", async () => {
    const queues = new SessionQueues();
    const failed = queues.run("one", () => Promise.reject(new Error("unavailable")));
    const next = queues.run("one", async () => "done");
    await expect(failed).rejects.toThrow("unavailable");
    expect(await next).toBe("done");
  });
});
