import { describe, expect, it } from "vitest";
import { readStoredKey, type StoredKey } from "./stored-key.ts";

const given = { id: "k-1", account: "acme", plan: "basic", lastFour: "wxyz", createdAt: new Date(5) };
const bare: StoredKey = {
  ...given,
  name: undefined,
  models: undefined,
  features: undefined,
  limits: undefined,
  expiresAt: undefined,
  revokedAt: undefined,
  rotatedFrom: undefined,
};

describe("readStoredKey", () => {
  it("returns the models, features and limits that were stored", () => {
    const rights = {
      models: ["a", "b"],
      features: ["tools"],
      limits: { requests: { limit: 5, windowSeconds: 10 }, tokens: { limit: 7 }, concurrency: 2 },
    };
    expect(readStoredKey({ ...bare, ...JSON.parse(JSON.stringify(rights)) })).toEqual({ ...given, ...rights });
    const none = { models: [], features: [], limits: {} };
    expect(readStoredKey({ ...bare, ...none })).toEqual({ ...given, ...none });
  });

  it("leaves out what was not stored", () => {
    expect(readStoredKey(bare)).toStrictEqual(given);
  });

  it("leaves out a feature of a newer version", () => {
    expect(readStoredKey({ ...bare, features: ["tools", "telepathy"] }).features).toEqual(["tools"]);
  });

  it("throws for values of another shape", () => {
    const strange = [
      { models: "a" },
      { models: [1] },
      { models: null },
      { features: {} },
      { limits: [] },
      { limits: null },
      { limits: { concurrency: "2" } },
      { limits: { tokens: { windowSeconds: 60 } } },
      { limits: { requests: { limit: 1, windowSeconds: "60" } } },
    ];
    for (const kept of strange) expect(() => readStoredKey({ ...bare, ...kept })).toThrow(TypeError);
  });
});
