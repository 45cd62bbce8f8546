import { createHash, createHmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { digestKey } from "./key-cache.ts";

// The same module, loaded as on a runtime without Node's crypto.
vi.resetModules();
vi.doMock("../wire/platform.ts", () => ({ nodeCrypto: undefined }));
const { digestKey: digestKeyElsewhere } = await import("./key-cache.ts");

describe("a digest", () => {
  const sha256 = createHash("sha256").update("tg_key").digest("hex");
  const hmac = createHmac("sha256", "pepper").update("tg_key").digest("hex");

  it("is returned synchronously on Node", () => {
    expect(digestKey("tg_key")).toBe(sha256);
    expect(digestKey("tg_key", "pepper")).toBe(hmac);
  });

  it("resolves to the same value on other runtimes", async () => {
    expect(digestKeyElsewhere("tg_key")).toBeInstanceOf(Promise);
    expect(await digestKeyElsewhere("tg_key")).toBe(sha256);
    expect(await digestKeyElsewhere("tg_key", "pepper")).toBe(hmac);
  });

  it("throws for an empty pepper", () => {
    expect(() => digestKey("tg_key", "")).toThrow(/pepper .* is empty/);
    expect(() => digestKeyElsewhere("tg_key", "")).toThrow(RangeError);
  });
});
