import { describe, expect, it } from "vitest";
import { generateKey } from "../access/key-format.ts";
import { memoryKeyStore } from "./memory-key-store.ts";

describe("a key store in memory", () => {
  it("creates keys with the host's prefix, and finds them synchronously", async () => {
    const store = memoryKeyStore({ prefix: "acme" });
    const { key, secret } = await store.create({ account: "a", plan: "p" });
    expect(secret.startsWith("acme_")).toBe(true);
    expect(store.find(secret)).toBe(key);
  });

  it("does not find a well-formed key that it did not create", () => {
    expect(memoryKeyStore().find(generateKey("tg"))).toBeUndefined();
  });

  it("keeps no reference that the caller could change", async () => {
    const store = memoryKeyStore();
    const models = ["a"];
    const { secret } = await store.create({ account: "a", plan: "p", models });
    models.push("b");
    expect(await store.find(secret)).toMatchObject({ models: ["a"] });
  });

  it("throws for invalid options", () => {
    expect(() => memoryKeyStore({ prefix: "no spaces" })).toThrow(/prefix of API keys must have/);
    expect(() => memoryKeyStore({ pepper: "" })).toThrow(/pepper of API keys is empty/);
  });

  it("rejects an invalid grace period", async () => {
    const store = memoryKeyStore();
    const { key } = await store.create({ account: "a", plan: "p" });
    await expect(store.rotate(key.id, { graceMs: -1 })).rejects.toThrow(/graceMs must be a whole number/);
  });
});
