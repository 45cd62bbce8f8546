import { describe, expect, it } from "vitest";
import { writeSpendLimit } from "../ports/stored-json.ts";
import { readStoredKey, type StoredKey } from "./stored-key.ts";

const given = { id: "k-1", account: "acme", plan: "basic", lastFour: "wxyz", createdAt: new Date(5) };
const bare: StoredKey = {
  ...given,
  name: undefined,
  models: undefined,
  features: undefined,
  dialects: undefined,
  scopes: undefined,
  limits: undefined,
  spend: undefined,
  tags: undefined,
  logContent: undefined,
  expiresAt: undefined,
  revokedAt: undefined,
  rotatedFrom: undefined,
  limitsId: undefined,
};

describe("readStoredKey", () => {
  it("returns the models, features, dialects and limits that were stored", () => {
    const rights = {
      models: ["a", "b"],
      features: ["tools"],
      dialects: ["messages", "chat"],
      scopes: ["account:read"],
      limits: { requests: { limit: 5, windowSeconds: 10 }, tokens: { limit: 7 }, concurrency: 2 },
      tags: ["a"],
      logContent: false,
    };
    expect(readStoredKey({ ...bare, ...JSON.parse(JSON.stringify(rights)) })).toEqual({ ...given, ...rights });
    const none = { models: [], features: [], dialects: [], scopes: [], limits: {} };
    expect(readStoredKey({ ...bare, ...none })).toEqual({ ...given, ...none });
  });

  it("returns the spend limit that was written", () => {
    const spend = { limit: 9_007_199_254_740_993n, window: "month", timezone: "Europe/Berlin" } as const;
    expect(readStoredKey({ ...bare, spend: JSON.parse(writeSpendLimit(spend)) }).spend).toEqual(spend);
    const ofAllTime = { limit: 0n, window: "total" } as const;
    expect(readStoredKey({ ...bare, spend: JSON.parse(writeSpendLimit(ofAllTime)) }).spend).toStrictEqual(ofAllTime);
  });

  it("leaves out what was not stored", () => {
    expect(readStoredKey(bare)).toStrictEqual(given);
  });

  it("leaves out a feature, a dialect and a scope of a newer version", () => {
    const scopes = ["account:write", "inference"];
    const newer = readStoredKey({ ...bare, features: ["tools", "telepathy"], dialects: ["telepathy"], scopes });
    expect([newer.features, newer.dialects, newer.scopes]).toEqual([["tools"], [], ["inference"]]);
  });

  it("throws for values of another shape", () => {
    const strange = [
      { models: "a" },
      { models: [1] },
      { models: null },
      { features: {} },
      { dialects: "chat" },
      { scopes: "inference" },
      { tags: "a" },
      { tags: [1] },
      { spend: null },
      { spend: { limit: 5, window: "day" } },
      { spend: { limit: "-5", window: "day" } },
      { spend: { limit: "5", window: "year" } },
      { spend: { limit: "5", window: "day", timezone: 1 } },
      { limits: [] },
      { limits: null },
      { limits: { concurrency: "2" } },
      { limits: { tokens: { windowSeconds: 60 } } },
      { limits: { requests: { limit: 1, windowSeconds: "60" } } },
    ];
    for (const kept of strange) expect(() => readStoredKey({ ...bare, ...kept })).toThrow(TypeError);
  });
});
