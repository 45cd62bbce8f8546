import { afterEach, expect, it, vi } from "vitest";
import { nodeBuffer } from "./platform.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
});

it("is Node's own Buffer on Node", () => {
  expect(nodeBuffer).toBe(Buffer);
});

it("is missed by nothing where there is none", async () => {
  vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  vi.resetModules();
  const platform = await import("./platform.ts");
  const { scanJson } = await import("./wire/json-members.ts");
  const { spliceMembers } = await import("./wire/splice-members.ts");
  const { byteLength, decodeUtf8, encodeUtf8 } = await import("./wire/utf8.ts");
  expect(platform.nodeBuffer).toBeUndefined();

  const text = JSON.stringify({ model: "a", text: `${"é".repeat(300)}"\\` });
  const bytes = encodeUtf8(text);
  expect(byteLength(text)).toBe(bytes.length);
  const scan = scanJson(bytes);
  if ("exceeded" in scan) throw new Error(scan.exceeded);
  const spliced = spliceMembers(bytes, scan.members, new Map([["model", '"b"']]));
  expect(spliced.constructor).toBe(Uint8Array);
  expect(decodeUtf8(spliced)).toBe(text.replace('"a"', '"b"'));
});
