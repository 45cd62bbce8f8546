import { afterEach, expect, it, vi } from "vitest";
import { nodeBuffer } from "./platform.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

it("is Node's own Buffer on Node", () => {
  expect(nodeBuffer).toBe(Buffer);
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
