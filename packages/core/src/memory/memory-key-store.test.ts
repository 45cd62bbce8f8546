import { describe, expect, it } from "vitest";
import { generateKey } from "../keys/key-format.ts";
import { memoryKeyStore } from "./memory-key-store.ts";

describe("a key store in memory", () => {
  it("makes keys with the host's prefix, and finds them without a promise", async () => {
    const store = memoryKeyStore({ prefix: "acme" });
    const { key, secret } = await store.create({ account: "a", plan: "p" });
    expect(secret.startsWith("acme_")).toBe(true);
    expect(store.find(secret)).toBe(key);
  });

  it("does not know a well-formed key that it never made", () => {
    expect(memoryKeyStore().find(generateKey("tg"))).toBeUndefined();
  });

  it("keeps no reference to what the caller may change", async () => {
    const store = memoryKeyStore();
    const models = ["a"];
    const { secret } = await store.create({ account: "a", plan: "p", models });
    models.push("b");
    expect(await store.find(secret)).toMatchObject({ models: ["a"] });
  });

  it("says at once what is wrong with its options", () => {
    expect(() => memoryKeyStore({ prefix: "no spaces" })).toThrow(/prefix of API keys must have/);
    expect(() => memoryKeyStore({ pepper: "" })).toThrow(/pepper of API keys is empty/);
  });

  it("says what a grace may be", async () => {
    const store = memoryKeyStore();
    const { key } = await store.create({ account: "a", plan: "p" });
    await expect(store.rotate(key.id, { graceMs: -1 })).rejects.toThrow(/graceMs must be a whole number/);
  });
});
