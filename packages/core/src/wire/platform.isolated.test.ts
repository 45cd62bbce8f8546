import { Writable } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";
import { nodeBuffer, nodeReadable } from "./platform.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

it("is Node's own Buffer on Node", () => {
  expect(nodeBuffer).toBe(Buffer);
});

it("destroys the destination of a Readable that fails, and does not end the process without an error listener", async () => {
  const Readable = nodeReadable;
  if (Readable === undefined) throw new Error("Node has no Readable.");
  const make = () => new Readable({ read() {}, destroy: (cause, done) => done(cause) });
  const [piped, unread] = [make(), make()];
  const destination = new Writable();
  piped.pipe(destination);
  for (const readable of [piped, unread]) readable.destroy(new Error("broke off"));
  await expect.poll(() => destination.destroyed).toBe(true);
  expect(destination.writableEnded).toBe(false);
});

it("does not use Node's transcode if it throws", async () => {
  vi.spyOn(process, "getBuiltinModule").mockReturnValue({
    Buffer,
    transcode: () => {
      throw new Error("not implemented");
    },
  });
  vi.resetModules();
  const { nodeText } = await import("./platform.ts");
  expect(nodeText).toBeUndefined();
});

it("is replaced by the web platform APIs if it is missing", async () => {
  vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  vi.resetModules();
  const platform = await import("./platform.ts");
  const { scanJson } = await import("./json-members.ts");
  const { spliceMembers } = await import("./forwarding/splice-members.ts");
  const { byteLength, decodeUtf8, encodeUtf8 } = await import("./bytes.ts");
  expect(platform.nodeBuffer).toBeUndefined();
  expect(platform.nodeText).toBeUndefined();

  const text = JSON.stringify({ model: "a", text: `${"é".repeat(300)}"\\` });
  const bytes = encodeUtf8(text);
  expect(byteLength(text)).toBe(bytes.length);
  const scan = scanJson(bytes);
  if ("exceeded" in scan) throw new Error(scan.exceeded);
  const spliced = spliceMembers(bytes, scan.members, [{ name: "model", value: "b" }]);
  expect(spliced.constructor).toBe(Uint8Array);
  expect(decodeUtf8(spliced)).toBe(text.replace('"a"', '"b"'));
});
