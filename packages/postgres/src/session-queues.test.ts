import { describe, expect, it } from "vitest";
import { SessionQueues } from "./session-queues.ts";

describe("the queues of sessions", () => {
  it("let the work on one session run one after another, and that on others at once", async () => {
    const queues = new SessionQueues();
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`${name} ends`);
      return name;
    };
    const answers = await Promise.all([
      queues.run("one", work("a")),
      queues.run("one", work("b")),
      queues.run("two", work("c")),
    ]);
    expect(answers).toEqual(["a", "b", "c"]);
    expect(seen.indexOf("b begins")).toBeGreaterThan(seen.indexOf("a ends"));
    expect(seen.indexOf("c begins")).toBeLessThan(seen.indexOf("a ends"));
  });

  it("go on after work that failed, and tell its caller alone", async () => {
    const queues = new SessionQueues();
    const failed = queues.run("one", () => Promise.reject(new Error("away")));
    const next = queues.run("one", async () => "done");
    await expect(failed).rejects.toThrow("away");
    expect(await next).toBe("done");
  });
});
