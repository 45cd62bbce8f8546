import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { hmac } from "./hmac.ts";

// The same module, loaded as on a runtime without Node's crypto.
vi.resetModules();
vi.doMock("./platform.ts", async (load) => ({ ...(await load<object>()), nodeCrypto: undefined }));
const { hmac: portable } = await import("./hmac.ts");

it("returns the same on every runtime, for keys and texts of any length", () => {
  const text = fc.string({ unit: "binary", maxLength: 300 });
  fc.assert(
    fc.property(text, text, (key, message) => {
      const expected = createHmac("sha256", key).update(message).digest("hex");
      expect(portable(key, message)).toBe(expected);
      expect(hmac(key, message)).toBe(expected);
    }),
  );
});

it("returns the values of RFC 4231", () => {
  for (const each of [hmac, portable]) {
    expect(each("Jefe", "what do ya want for nothing?")).toBe(
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    );
  }
});
