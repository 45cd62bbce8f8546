import { describe, expect, it } from "vitest";
import { KeyMaker } from "./key-maker.ts";

const wanted = { account: "a", plan: "p" };

describe("KeyMaker", () => {
  it("copies the limits of a key", async () => {
    const limits = { requests: { limit: 5, windowSeconds: 604_800 }, tokens: { limit: 1 }, concurrency: 1 };
    const { key } = await new KeyMaker().make({ ...wanted, limits });
    limits.concurrency = 2;
    expect(key.limits).toEqual({ ...limits, concurrency: 1 });
  });

  it.each([
    [{ requests: { limit: 0.5 } }, "`limits.requests.limit` must be a whole number of at least 1, not 0.5."],
    [{ tokens: { limit: -1 } }, "`limits.tokens.limit` must be a whole number of at least 1, not -1."],
    [
      { tokens: { limit: 1, windowSeconds: 604_801 } },
      "`limits.tokens.windowSeconds` must be a whole number from 1 to 604800, not 604801.",
    ],
    [{ concurrency: 0 }, "`limits.concurrency` must be a whole number of at least 1, not 0."],
  ])("refuses the limits %j", async (limits, problem) => {
    await expect(new KeyMaker().make({ ...wanted, limits })).rejects.toThrow(new RangeError(problem));
  });
});
