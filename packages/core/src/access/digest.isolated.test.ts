import { createHash, createHmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { storedDigest } from "./key-maker.ts";

// The same module, loaded as on a runtime without Node's crypto.
vi.resetModules();
vi.doMock("../wire/platform.ts", async (original) => ({ ...(await original<object>()), nodeCrypto: undefined }));
const { storedDigest: storedDigestElsewhere } = await import("./key-maker.ts");

describe("a digest", () => {
  const sha256 = createHash("sha256").update("tg_key").digest("hex");
  const hmac = createHmac("sha256", "pepper").update("tg_key").digest("hex");

  it("is returned synchronously on Node", () => {
    expect(storedDigest("tg_key", undefined)).toBe(sha256);
    expect(storedDigest("tg_key", "pepper")).toBe(hmac);
  });

  it("resolves to the same value on other runtimes", async () => {
    expect(storedDigestElsewhere("tg_key", undefined)).toBeInstanceOf(Promise);
    expect(await storedDigestElsewhere("tg_key", undefined)).toBe(sha256);
    expect(await storedDigestElsewhere("tg_key", "pepper")).toBe(hmac);
  });

  it("throws for an empty pepper", () => {
    expect(() => storedDigest("tg_key", "")).toThrow(/pepper .* is empty/);
    expect(() => storedDigestElsewhere("tg_key", "")).toThrow(RangeError);
  });
});
