import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { decodeBody } from "./decode-body.ts";

const encoders = [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
] as const;
const encodings = fc.array(fc.constantFrom(...encoders), { maxLength: 2 });

describe("decodeBody", () => {
  test.prop([fc.uint8Array({ maxLength: 3_000 }), encodings, fc.integer({ min: 1, max: 500 })])(
    "decodes every pair of encodings, for any chunk boundaries",
    async (bytes, applied, size) => {
      const encoded = applied.reduce<Uint8Array>((body, [, encode]) => encode(body), bytes);
      const names = applied.map(([name]) => name).join(", ");
      expect(await decodeBody(chunksOf(encoded, size), names, 3_000)).toEqual(new Uint8Array(bytes));
    },
  );

  test.prop([fc.uint8Array({ minLength: 2, maxLength: 3_000 }), encodings, fc.integer({ min: 1, max: 500 })])(
    "rejects a body one byte over the limit",
    async (bytes, applied, size) => {
      const encoded = applied.reduce<Uint8Array>((body, [, encode]) => encode(body), bytes);
      const names = applied.map(([name]) => name).join(", ");
      const decoded = decodeBody(chunksOf(encoded, size), names, bytes.length - 1);
      await expect(decoded).rejects.toMatchObject({ failure: "response_too_large" });
    },
  );

  it("stops reading a decompression bomb at the limit, and closes its source", async () => {
    let read = 0;
    let released = false;
    async function* bomb() {
      try {
        const bytes = gzipSync(Buffer.alloc(16 * 1_048_576));
        for await (const chunk of chunksOf(Buffer.concat(new Array(100).fill(bytes)), 1_024)) {
          read += chunk.length;
          yield chunk;
        }
        await new Promise(() => undefined);
      } finally {
        released = true;
      }
    }
    await expect(decodeBody(bomb(), "gzip", 65_536)).rejects.toMatchObject({ failure: "response_too_large" });
    expect(read).toBeLessThan(500_000);
    await expect.poll(() => released).toBe(true);
  });

  it("rethrows errors of its source", async () => {
    async function* broken() {
      yield gzipSync("abc").subarray(0, 5);
      throw new Error("The connection broke.");
    }
    await expect(decodeBody(broken(), "gzip", 100)).rejects.toThrow("The connection broke.");
    await expect(decodeBody(broken(), undefined, 100)).rejects.toThrow("The connection broke.");
  });
});

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
