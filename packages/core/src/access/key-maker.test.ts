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

  it.each([
    [
      "a negative spend limit",
      { spend: { limit: -1n, window: "day" } },
      "`spend.limit` must be from 0 to 2^63 - 1 nano-units, not -1.",
    ],
    [
      "a spend limit in an unknown time zone",
      { spend: { limit: 1n, window: "day", timezone: "Mars/Base" } },
      '`spend.timezone` must be an IANA time zone, such as "Europe/Berlin", not the string "Mars/Base".',
    ],
    ["an empty tag", { tags: ["a", ""] }, '`tags[1]` must be a text of 1 to 64 characters, not the string "".'],
    ["too many tags", { tags: Array(17).fill("a") }, "`tags` must have at most 16 tags, not 17."],
  ] as const)("refuses %s", async (_title, members, problem) => {
    await expect(new KeyMaker().make({ ...wanted, ...members })).rejects.toThrow(new RangeError(problem));
  });
});
